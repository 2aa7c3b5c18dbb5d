import { type ReactNode, type Ref, useId } from 'react'

export function Section(props: {
  title: string
  lead: string
  /** A parent that removes the focused element moves the focus to this heading. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-3 border-t border-kumo-hairline py-7 first:border-t-0 first:pt-0 md:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]"
    >
      <div className="space-y-1">
        <h2
          id={id}
          ref={props.headingRef}
          tabIndex={-1}
          className="text-[15px] font-semibold text-kumo-strong outline-none"
        >
          {props.title}
        </h2>
        <p className="text-[13px] text-pretty text-kumo-subtle">{props.lead}</p>
      </div>
      <div className="min-w-0">{props.children}</div>
    </section>
  )
}

export function Box({ children }: { children: ReactNode }) {
  return <div className="rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5">{children}</div>
}
