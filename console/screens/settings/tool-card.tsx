import { CaretRightIcon } from '@phosphor-icons/react'
import type { ReactNode } from 'react'

export function ToolCard(props: { title: string; hint: string; children: ReactNode }) {
  return (
    <details className="group rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      <summary className="flex cursor-pointer list-none items-center gap-3 rounded-xl px-4 py-3 [&::-webkit-details-marker]:hidden">
        <CaretRightIcon
          className="shrink-0 text-kumo-subtle transition-transform group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="min-w-0">
          <span className="block font-medium text-kumo-strong">{props.title}</span>
          <span className="block text-[13px] text-kumo-subtle">{props.hint}</span>
        </span>
      </summary>
      <div className="space-y-4 border-t border-kumo-hairline p-4">{props.children}</div>
    </details>
  )
}
