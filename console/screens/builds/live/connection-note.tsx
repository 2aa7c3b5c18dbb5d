import { ArrowsClockwiseIcon } from '@phosphor-icons/react'
import { workText } from '../../../text/workspace.en.ts'
import { type BuildView, reconnectBuild } from '../../../state/builds/build-follower.ts'
import { Button } from '../../../ui/controls/button.tsx'

/** Tells the person that this page lost the stream of a build. The build itself continues. */
export function ConnectionNote({ view, ticketId }: { view: BuildView; ticketId: string }) {
  const sentence = connectionSentence(view)
  return (
    <div role="status" className="px-4 pt-4 empty:p-0">
      {sentence && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg bg-kumo-info-tint px-3.5 py-2 text-[13px] ring-1 ring-tide-line">
          <ArrowsClockwiseIcon className="shrink-0 text-tide" aria-hidden="true" />
          <span className="min-w-0 flex-1">{sentence}</span>
          {view.connection === 'lost' && (
            <Button size="sm" onClick={() => reconnectBuild(ticketId)}>
              {workText.build.reconnect}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

function connectionSentence(view: BuildView): string | null {
  if (view.connection === 'lost') return workText.build.lost
  if (view.connection === 'waiting') return workText.build.reconnecting
  return view.state.phase === 'resuming' ? workText.build.resuming : null
}
