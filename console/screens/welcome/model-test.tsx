import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { useMutation } from '@tanstack/react-query'
import { testModelConnection } from '../../api/organization/connections.ts'
import { welcomeText } from '../../text/welcome.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { formatDuration } from '../../lib/format.ts'
import { StateDot } from '../../ui/page/state-dot.tsx'

const welcomeModelText = welcomeText.model

export function ModelTest({ model }: { model: ModelConnection }) {
  const test = useMutation({ mutationFn: () => testModelConnection(model.id) })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="sm" loading={test.isPending} onClick={() => test.mutate()}>
          {welcomeModelText.test}
        </Button>
        <p role="status" className="min-w-0 text-[13px] break-words">
          {test.isPending && <StateDot tone="busy">{welcomeModelText.testing}</StateDot>}
          {test.isSuccess && (
            <StateDot tone="good">
              {welcomeModelText.answered(test.data.model, formatDuration(test.data.latencyMs))}
            </StateDot>
          )}
        </p>
      </div>
      {test.isError && (
        <FailureNote title={welcomeModelText.failed} error={test.error} onRetry={() => test.mutate()} />
      )}
    </>
  )
}
