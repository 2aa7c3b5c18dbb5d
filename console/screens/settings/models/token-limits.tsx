import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TokenUse } from '@slipway/sdk/client/types.gen.ts'
import { useId, useState } from 'react'
import { setTokenLimits, tokenUseQuery } from '../../../api/organization/connections.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { type TypedFields, useDraftFields } from '../../../shell/use-draft-fields.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { FailureNote, LoadFailure } from '../../../ui/page/failure.tsx'
import { Meter } from '../../../ui/page/meter.tsx'
import { dayAfterMonth, formatMonth } from '../../../lib/format.ts'

const tokenLimitsText = settingsText.models.tokens
const TOKEN_LIMIT_MIN = 1_000
const TOKEN_LIMIT_MAX = 1_000_000_000_000

export function TokenLimits({ reason }: { reason: string | null }) {
  const use = useQuery(tokenUseQuery())
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8 space-y-3">
      <div>
        <h2 id={id} className="text-[15px] font-semibold text-kumo-strong">
          {tokenLimitsText.title}
        </h2>
        <p className="mt-0.5 text-[13px] text-kumo-subtle">{tokenLimitsText.lead}</p>
      </div>
      <LoadFailure query={use} />
      {use.data && (
        <div className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
          <UsedTokens use={use.data} />
          <LimitForm use={use.data} reason={reason} />
        </div>
      )}
    </section>
  )
}

function UsedTokens({ use: { used, monthly, month } }: { use: TokenUse }) {
  const id = useId()
  const isReached = monthly !== null && used >= monthly
  return (
    <div className="space-y-2">
      <p id={id} className="font-medium text-kumo-strong tabular-nums">
        {monthly === null
          ? tokenLimitsText.used(formatLimit(used), formatMonth(month))
          : tokenLimitsText.usedOf(formatLimit(used), formatLimit(monthly), formatMonth(month))}
      </p>
      {monthly !== null && <Meter aria-labelledby={id} used={used} limit={monthly} isNear={isReached} />}
      {isReached && (
        <p className="text-[13px] text-removed">{tokenLimitsText.reached(dayAfterMonth(month))}</p>
      )}
    </div>
  )
}

/** Edits the token limits per month and per ticket. A refetch does not overwrite a limit that the user is editing. */
function LimitForm({ use, reason }: { use: TokenUse; reason: string | null }) {
  const client = useQueryClient()
  const draft = useDraftFields('token-limits', '', {
    monthly: formatLimit(use.monthly),
    perTicket: formatLimit(use.perTicket),
  })
  const [isAsked, setAsked] = useState(false)
  const next = {
    monthly: readLimit(draft.textOf('monthly')),
    perTicket: readLimit(draft.textOf('perTicket')),
  }
  const isChanged = next.monthly !== use.monthly || next.perTicket !== use.perTicket
  const save = useMutation({
    mutationFn: async (typed: TypedFields) => {
      // Both limits are saved together. Read the stored ones first, so that a limit changed by another admin is not changed back.
      const stored = await client.fetchQuery({ ...tokenUseQuery(), networkMode: 'always' })
      const limitOf = (name: 'monthly' | 'perTicket') =>
        typed[name] === undefined ? stored[name] : (readLimit(typed[name].text) ?? null)
      return setTokenLimits({ monthly: limitOf('monthly'), perTicket: limitOf('perTicket') })
    },
    onSuccess: (saved, typed) => {
      client.setQueryData(tokenUseQuery().queryKey, saved)
      // Keep text that was typed while the request ran, because it is not saved yet.
      draft.forget(typed)
      setAsked(false)
      notify(tokenLimitsText.saved)
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsked(true)
    const isReadable = next.monthly !== undefined && next.perTicket !== undefined
    if (reason === null && isChanged && isReadable) save.mutate(draft.typed)
  }
  const problemOf = (limit: number | null | undefined) =>
    isAsked && limit === undefined ? { error: tokenLimitsText.problem } : {}
  const field = { inputMode: 'text', autoComplete: 'off', maxLength: 24, disabled: reason !== null } as const
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormDraftNote
        draft={draft}
        labels={{ monthly: tokenLimitsText.monthly, perTicket: tokenLimitsText.perTicket }}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field}
          {...problemOf(next.monthly)}
          label={tokenLimitsText.monthly}
          description={tokenLimitsText.monthlyHint}
          placeholder={tokenLimitsText.example}
          {...draft.field('monthly')}
        />
        <TextField
          {...field}
          {...problemOf(next.perTicket)}
          label={tokenLimitsText.perTicket}
          description={tokenLimitsText.perTicketHint}
          placeholder={tokenLimitsText.example}
          {...draft.field('perTicket')}
        />
      </div>
      {save.isError && <FailureNote title={tokenLimitsText.failed} error={save.error} />}
      <ReasonButton
        type="submit"
        loading={save.isPending}
        reason={reason ?? (isChanged ? null : tokenLimitsText.unchanged)}
      >
        {tokenLimitsText.save}
      </ReasonButton>
    </form>
  )
}

const formatLimit = (limit: number | null): string => limit?.toLocaleString('en') ?? ''

/**
 * Parses a limit such as `5,000,000` or `5M`. Returns null for an empty text and undefined for an invalid one. A comma only separates
 * thousands, so `1,5M` is invalid.
 */
function readLimit(value: string): number | null | undefined {
  if (value.trim() === '') return null
  const [, whole = '', fraction = '', unit = ''] =
    /^(\d{1,3}(?:[\s,_’']\d{3})+|\d+)(\.\d+)?\s*([km]?)$/i.exec(value.trim()) ?? []
  const factor = { '': 1, k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1
  const digits = whole.replaceAll(/\D/g, '') + fraction
  const limit = Math.round(Number(digits || NaN) * factor * 1000) / 1000
  return Number.isInteger(limit) && limit >= TOKEN_LIMIT_MIN && limit <= TOKEN_LIMIT_MAX ? limit : undefined
}
