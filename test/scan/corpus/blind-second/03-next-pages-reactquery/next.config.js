/** @type {import('next').NextConfig} */
module.exports = {
  reactStrictMode: true,
  async rewrites() {
    return [
      {
        source: '/talent/:path*',
        destination: 'https://api.talentprotocol.com/api/v1/:path*',
      },
    ]
  },
}
