/** @type {import('next').NextConfig} */
module.exports = {
  reactStrictMode: true,
  images: { domains: ['i.imgur.com', 'imagedelivery.net'] },
  async rewrites() {
    return [
      { source: '/talent/:path*', destination: `${process.env.TALENT_API}/api/v1/:path*` },
      { source: '/sitemap.xml', destination: '/api/sitemap' },
    ]
  },
}
