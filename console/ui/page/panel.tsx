import { type ReactNode, useId } from 'react'

/** A card with a heading, for one topic of a page. */
export function Panel(props: { title: string; hint?: string; action?: ReactNode; children?: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5">
      <div className="flex not-last:mb-3 flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={id} className="text-[15px] font-semibold text-kumo-strong">
            {props.title}
          </h2>
          {props.hint && <p className="mt-0.5 text-[13px] text-kumo-subtle">{props.hint}</p>}
        </div>
        {props.action}
      </div>
      {props.children}
    </section>
  )
}
