import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { deleteAccount, deletionQuery } from '../../../api/account/deletion.ts'
import { deletionText as words } from '../../../text/deletion.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { LiveRegion } from '../../../ui/page/live-region.tsx'

export function RunDeletion(props: { plan: AccountDeletion; onDone: (last: AccountDeletion) => void }) {
  const { plan, onDone } = props
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isStopping, setStopping] = useState(false)
  const stop = useRef<AbortController | null>(null)
  const remove = useMutation({
    mutationFn: (choice: { leaveStuck: boolean }) => {
      const controller = new AbortController()
      stop.current = controller
      setStopping(false)
      return deleteAccount({
        ...choice,
        confirm: plan.email,
        signal: controller.signal,
        onStep: (next) => {
          if (next.deletion === null) client.setQueryData(deletionQuery().queryKey, next)
        },
      })
    },
    onSuccess: (last) => {
      if (last.deletion !== null) onDone(last)
    },
  })
  // Stop the deletion when the page unmounts, because then nothing would show which resources cannot be
  // removed.
  useEffect(() => () => stop.current?.abort(), [])
  const hasBegun = plan.spent > 0
  const isBlocked = plan.organizations.some(({ disposition }) => disposition === 'blocked')
  const isNamed = typed.trim() === plan.email
  const reason = isBlocked ? words.blockedReason : isNamed ? null : words.unnamed
  const progress = words.running(plan.projectsLeft, plan.cleared)
  return (
    <section aria-labelledby="confirm" className="space-y-4 border-t border-kumo-line pt-6">
      <h2 id="confirm" className="text-[15px] font-semibold text-kumo-strong">
        {words.section}
      </h2>
      {remove.isError && <FailureNote title={words.failed} error={remove.error} takeFocus />}
      {plan.failed.length > 0 && !remove.isPending && (
        <StuckResources
          failed={plan.failed}
          reason={reason}
          onRetry={() => remove.mutate({ leaveStuck: false })}
          onLeave={() => remove.mutate({ leaveStuck: true })}
        />
      )}
      {hasBegun && !remove.isPending && plan.failed.length === 0 && (
        <p className="text-kumo-subtle">{words.begun}</p>
      )}
      {!remove.isPending && (
        <form
          noValidate
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (reason === null) remove.mutate({ leaveStuck: false })
          }}
        >
          <TextField
            label={words.confirm}
            description={plan.email}
            value={typed}
            type="email"
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => setTyped(event.target.value)}
          />
          {plan.failed.length === 0 && (
            <ReasonButton type="submit" variant="destructive" reason={reason}>
              {hasBegun ? words.resume : words.submit}
            </ReasonButton>
          )}
        </form>
      )}
      {remove.isPending && (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="destructive" loading>
            {progress}
          </Button>
          <Button
            variant="ghost"
            disabled={isStopping}
            onClick={() => {
              stop.current?.abort()
              setStopping(true)
            }}
          >
            {isStopping ? words.stopping : words.stop}
          </Button>
        </div>
      )}
      <LiveRegion isRunning={remove.isPending} sentence={remove.isPending ? progress : ''} />
    </section>
  )
}

function StuckResources(props: {
  failed: AccountDeletion['failed']
  reason: string | null
  onRetry: () => void
  onLeave: () => void
}) {
  const { failed, reason } = props
  return (
    <div role="alert" className="space-y-3 rounded-lg bg-kumo-warning-tint px-3.5 py-3">
      <p className="font-medium text-kumo-strong">{words.stuck(failed.length)}</p>
      <ul className="list-disc space-y-1 pl-5 text-[13px]">
        {failed.map(({ id, name, projectName, reason: why }) => (
          <li key={id} className="break-words">
            {name} ({projectName}): {why}
          </li>
        ))}
      </ul>
      <p className="text-[13px] text-pretty">{words.stuckHint}</p>
      <div className="flex flex-wrap gap-2">
        <ReasonButton size="sm" reason={reason} onClick={props.onRetry}>
          {words.again}
        </ReasonButton>
        <ReasonButton size="sm" variant="destructive" reason={reason} onClick={props.onLeave}>
          {words.leave}
        </ReasonButton>
      </div>
    </div>
  )
}
