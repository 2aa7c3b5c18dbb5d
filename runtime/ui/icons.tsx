const ICON_PATHS = {
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  alert: 'M10 6v4.5M10 13.6v.1M10 2.8l7.6 13.4H2.4z',
  search: 'M13.2 13.2L17 17M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z',
  edit: 'M12.6 4.4l3 3M4 16l.8-3.6 8.5-8.5a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2z',
  trash:
    'M4 5.8h12M8 5.5V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.5M6 6l.6 9.6a1 1 0 0 0 1 .9h4.8a1 1 0 0 0 1-.9L14 6M8.5 9v4.5M11.5 9v4.5',
  close: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  up: 'M5 12.5l5-5 5 5',
  down: 'M5 7.5l5 5 5-5',
  back: 'M11.5 4.5L6 10l5.5 5.5',
  next: 'M8.5 4.5L14 10l-5.5 5.5',
  grip: 'M4.5 7.5h11M4.5 12.5h11',
  offline:
    'M3 3l14 14M5.5 9.5a7 7 0 0 1 2.2-1.3M10.5 7.6a7 7 0 0 1 4 1.9M8 12.4a3.2 3.2 0 0 1 4 0M10 15.6v.1',
  inbox:
    'M3 11.5l2-6.7a1 1 0 0 1 1-.8h8a1 1 0 0 1 1 .8l2 6.7V15a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1zM3 11.5h4l1 2h4l1-2h4',
} as const

export type IconName = keyof typeof ICON_PATHS

/** A line icon. Use it only beside a text, because screen readers skip it. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path
        d={ICON_PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
