import Image from 'next/image'

export default function Avatar({ src, size = 96 }) {
  if (!src) return <div className="avatar-placeholder" style={{ width: size, height: size }} />
  return <Image src={src} alt="avatar" width={size} height={size} className="rounded-full" />
}
