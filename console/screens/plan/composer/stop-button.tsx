import { StopIcon } from '@phosphor-icons/react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import { stopPlan } from '../../../api/project/plan.ts'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { planText } from '../../../text/plan.en.ts'
import { Button } from '../../../ui/controls/button.tsx'

/**
 * Stops the reply that is being written. The thread keeps its text so far. `onFocusLost` is called when the button disappears while it has
 * the focus.
 */
export function StopButton({ projectId, onFocusLost }: { projectId: string; onFocusLost: () => void }) {
  const stop = useMutation({ mutationFn: () => stopPlan(projectId) })
  const [keepFocus] = useState(() => (button: HTMLButtonElement) => () => {
    if (button === document.activeElement) onFocusLost()
  })
  const isStopping = stop.isPending || stop.isSuccess
  useShortcut('stop', () => stop.mutate(), !isStopping)
  return (
    <>
      {stop.isError && (
        <p role="alert" className="text-[13px] text-removed">
          {`${planText.box.stopFailed}: ${describeFailure(stop.error).sentence}`}
        </p>
      )}
      <Button
        ref={keepFocus}
        type="button"
        icon={<StopIcon weight="fill" />}
        loading={isStopping}
        aria-keyshortcuts="Control+. Meta+."
        title={planText.box.stopHint}
        onClick={() => stop.mutate()}
      >
        {isStopping ? planText.box.stopping : planText.box.stop}
      </Button>
    </>
  )
}
