import type { ReactNode } from 'react'

/** Shown in place of an empty list: why it is empty and what to do next. `level` continues the headings of the page. */
export function EmptyNote(props: {
  icon: ReactNode
  title: string
  hint: string
  action?: ReactNode
  level?: 'h2' | 'h3'
}) {
  const Heading = props.level ?? 'h2'
  return (
    <div className="m-auto flex max-w-sm flex-col items-center gap-2 px-4 py-10 text-center">
      <div
        className="mb-1 grid size-11 place-items-center rounded-xl bg-tide-tint text-tide ring-1 ring-tide-line [&_svg]:size-[22px]"
        aria-hidden="true"
      >
        {props.icon}
      </div>
      <Heading className="text-[15px] font-semibold text-kumo-strong">{props.title}</Heading>
      <p className="text-kumo-subtle">{props.hint}</p>
      {props.action && <div className="mt-2">{props.action}</div>}
    </div>
  )
}
