import { XIcon } from '@phosphor-icons/react'
import type { ReactNode } from 'react'
import { useShortcut } from '../../shell/keys/shortcuts.ts'
import { ticketsText } from '../../text/tickets.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'

/** The board over the whole width. An opened ticket is shown beside it until the user closes it. */
export function BoardPanes(props: { tickets: ReactNode; work: ReactNode; onClose: () => void }) {
  useShortcut('up', props.onClose, props.work !== null)
  return (
    <div className="flex min-h-0 flex-1">
      <section aria-label={workText.workspace.panes.tickets} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {props.tickets}
      </section>
      {props.work && (
        <section
          aria-label={workText.workspace.panes.work}
          className="relative flex min-h-0 w-[clamp(22rem,36%,40rem)] shrink-0 flex-col border-l border-kumo-line [&>:first-child]:pr-11"
        >
          {props.work}
          <IconButton
            className="absolute! top-1.5 right-2"
            label={ticketsText.board.close}
            icon={<XIcon />}
            onClick={props.onClose}
          />
        </section>
      )}
    </div>
  )
}
