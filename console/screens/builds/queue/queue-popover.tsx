import { Popover } from '@cloudflare/kumo/components/popover'
import { CaretDownIcon } from '@phosphor-icons/react'
import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import { queueText } from '../../../text/builds.en.ts'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { QueuePanel } from './queue-panel.tsx'

export function QueuePopover(props: {
  projectId: string
  queue: BuildQueue
  words: string | null
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}) {
  const words = props.words ?? queueText.empty
  return (
    <Popover open={props.isOpen} onOpenChange={props.onOpen}>
      <Popover.Trigger
        render={
          <button
            type="button"
            aria-label={`${words}. ${queueText.show}`}
            className="inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-lg px-2.5 text-[13px] max-sm:-ml-2.5 whitespace-nowrap text-kumo-default tabular-nums hover:bg-kumo-tint pointer-coarse:h-11"
          />
        }
      >
        <StateDot tone={props.queue.running ? 'busy' : 'quiet'}>{words}</StateDot>
        <CaretDownIcon className="size-3 text-kumo-subtle" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Content align="end" className="w-[min(24rem,calc(100vw-1.5rem))] p-0">
        <Popover.Title className="px-4 pt-3.5 text-[15px] font-semibold text-kumo-strong">
          {queueText.title}
        </Popover.Title>
        <QueuePanel projectId={props.projectId} queue={props.queue} onLeave={() => props.onOpen(false)} />
      </Popover.Content>
    </Popover>
  )
}
