import { WarningCircleIcon } from '@phosphor-icons/react'
import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import { planText } from '../../../text/plan.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { entryOf } from '../../../lib/fields.ts'

export function FailedNote({ message, onRetry }: { message: PlanMessage; onRetry: (() => void) | null }) {
  const { error } = message
  return (
    <div className="flex gap-3 rounded-lg bg-kumo-danger-tint px-3.5 py-3 ring-1 ring-kumo-danger/25">
      <WarningCircleIcon
        weight="fill"
        className="mt-0.5 size-[18px] shrink-0 text-removed"
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1 space-y-1">
        <p className="font-medium text-kumo-strong">{planText.ended.failed}</p>
        <p>{entryOf(planText.kinds, error?.kind ?? 'server_error') ?? error?.message}</p>
        {error && (
          <details className="text-[13px]" open={error.kind === 'budget'}>
            <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-kumo-subtle">
              {planText.ended.said}
            </summary>
            <p className="mt-1 break-words">{error.message}</p>
          </details>
        )}
        {message.tickets.length > 0 && <p className="text-[13px]">{planText.ended.kept}</p>}
        <p className="text-xs text-kumo-subtle">
          <code className="font-mono">{error?.kind}</code>
        </p>
        {onRetry && (
          <Button size="sm" className="mt-1.5" onClick={onRetry}>
            {planText.ended.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
