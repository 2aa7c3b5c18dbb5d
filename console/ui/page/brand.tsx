import { text } from '../../text/en.ts'

/** The logo: the hull of a ship on a slipway. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-[#0b5a72]" />
      <path d="M5.500 23 26.500 26.800" stroke="#7fd6e6" strokeWidth="2.200" strokeLinecap="round" />
      <path
        d="M6 13.600c5.800 2 13.200 2.800 20.400 1.500-1.100 4-3.500 7-6.600 7.900L9.500 21.100c-2-1.500-3.200-4.200-3.500-7.500Z"
        fill="#fff"
      />
      <path d="M14.300 5.700 14 12.900l7.700.5c-1.300-3.700-4-6.400-7.400-7.700Z" fill="#ff8f63" />
    </svg>
  )
}

/** The product's name in the style of the logo. */
export function Wordmark({ className = '' }: { className?: string }) {
  return <span className={`text-[17px] font-semibold tracking-[-0.02em] ${className}`}>{text.product}</span>
}
