import { TicketIcon } from '@phosphor-icons/react'
import { formatPrice } from '@slipway/runtime/pay/price.ts'
import type { DiscountCode } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { addCode, archiveCode, codesQuery, type NewCode } from './query.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { type TypedFields, useDraftFields } from '../../../shell/use-draft-fields.ts'
import { payText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { parseMoney } from './money.ts'

const discountCodesText = payText.codes

export function Codes({ projectId, currency }: { projectId: string; currency: string }) {
  return (
    <section
      aria-labelledby="discount-codes"
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div className="space-y-1">
        <h2 id="discount-codes" className="text-[15px] font-semibold text-kumo-strong">
          {discountCodesText.title}
        </h2>
        <p className="text-kumo-subtle">{discountCodesText.hint}</p>
      </div>
      <CodeList projectId={projectId} />
      <DiscountCodeForm projectId={projectId} currency={currency} />
    </section>
  )
}

function CodeList({ projectId }: { projectId: string }) {
  const codes = useQuery(codesQuery(projectId))
  const [ending, setEnding] = useState<DiscountCode | null>(null)
  if (codes.isPending) return <LiveSkeleton />
  if (!codes.data)
    return <LiveFailure projectId={projectId} error={codes.error} onRetry={() => void codes.refetch()} />
  if (codes.data.length === 0)
    return (
      <EmptyNote
        icon={<TicketIcon />}
        title={discountCodesText.empty}
        hint={discountCodesText.emptyHint}
        level="h3"
      />
    )
  return (
    <>
      <ul className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line">
        {codes.data.map((code) => (
          <li key={code.id} className="flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-3">
            <div className="min-w-0">
              <p className="font-mono text-[13px] break-all text-kumo-strong">{code.code}</p>
              <p className="text-[13px] text-kumo-subtle">{describeCode(code)}</p>
            </div>
            <Button
              size="sm"
              variant="ghost"
              aria-label={discountCodesText.archiveOf(code.code)}
              onClick={() => setEnding(code)}
            >
              {discountCodesText.archive}
            </Button>
          </li>
        ))}
      </ul>
      {ending !== null && <EndCode projectId={projectId} code={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function describeCode({
  percentOff,
  amountOff,
  currency,
  duration,
  redeemed,
  maxRedemptions,
}: DiscountCode): string {
  const amount = { amount: amountOff ?? 0, currency: currency ?? 'usd', interval: null }
  const what = percentOff === null ? formatPrice(amount) : `${percentOff}%`
  return [
    discountCodesText.takesOff(what),
    ...(duration === 'forever' ? [discountCodesText.forever] : []),
    discountCodesText.redeemed(redeemed, maxRedemptions),
  ].join(' · ')
}

function EndCode({
  projectId,
  code,
  onClose,
}: {
  projectId: string
  code: DiscountCode
  onClose: () => void
}) {
  const client = useQueryClient()
  const archive = useMutation({
    mutationFn: () => archiveCode(projectId, code.id),
    onSettled: () => client.invalidateQueries(codesQuery(projectId)),
  })
  return (
    <Confirm
      title={discountCodesText.archiveAsk(code.code)}
      consequence={discountCodesText.archiveConsequence}
      submit={discountCodesText.archive}
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

const EMPTY_CODE = { code: '', kind: 'percent', off: '', most: '', duration: 'once' } as const

interface TypedCode {
  code: string
  kind: keyof typeof discountCodesText.kinds
  off: string
  most: string
  duration: keyof typeof discountCodesText.durations
}

const readCode = (textOf: (name: keyof TypedCode) => string): TypedCode => ({
  code: textOf('code'),
  kind: textOf('kind') === 'amount' ? 'amount' : 'percent',
  off: textOf('off'),
  most: textOf('most'),
  duration: textOf('duration') === 'forever' ? 'forever' : 'once',
})

type Discount = Pick<NewCode, 'percentOff' | 'amountOff' | 'currency'>

/** Returns the discount, or null when its number is missing or invalid. */
function readDiscount({ kind, off }: TypedCode, currency: string): Discount | null {
  if (kind === 'amount') {
    const amountOff = parseMoney(off, currency)
    return amountOff === null ? null : { amountOff, currency }
  }
  const percentOff = /^\d{1,3}(?:[.,]\d{1,2})?$/.test(off.trim()) ? Number(off.trim().replace(',', '.')) : 0
  return percentOff > 0 && percentOff <= 100 ? { percentOff } : null
}

/** Returns an object with the redemption limit. The object is empty when the field is empty. Returns null for an invalid number. */
function readLimit({ most }: TypedCode): Pick<NewCode, 'maxRedemptions'> | null {
  const maxRedemptions = Number(most)
  if (most.trim() === '') return {}
  return Number.isInteger(maxRedemptions) && maxRedemptions > 0 ? { maxRedemptions } : null
}

function DiscountCodeForm({ projectId, currency }: { projectId: string; currency: string }) {
  const client = useQueryClient()
  const draft = useDraftFields('discount-code', projectId, EMPTY_CODE)
  const typed = readCode(draft.textOf)
  const [isAsked, setAsked] = useState(false)
  const discount = readDiscount(typed, currency)
  const limit = readLimit(typed)
  const isPercent = typed.kind === 'percent'
  const problemOf = (read: object | null, error: string) => (isAsked && read === null ? { error } : {})
  const add = useMutation({
    mutationFn: ({ newCode }: { newCode: NewCode; typed: TypedFields }) => addCode(projectId, newCode),
    onSuccess: (_added, sent) => {
      // Keep text that was typed while the request ran, because it belongs to the next code.
      draft.forget(sent.typed)
      setAsked(false)
    },
    onSettled: () => client.invalidateQueries(codesQuery(projectId)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (discount === null || limit === null || add.isPending) return
    const code = typed.code.trim()
    const newCode = { duration: typed.duration, ...(code !== '' && { code }), ...discount, ...limit }
    add.mutate({ newCode, typed: draft.typed })
  }
  return (
    <form noValidate onSubmit={submit} aria-label={discountCodesText.add} className="space-y-3">
      <h3 className="font-medium text-kumo-strong">{discountCodesText.add}</h3>
      {add.isError && <FailureNote title={discountCodesText.notMade} error={add.error} takeFocus />}
      <FormDraftNote draft={draft} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={discountCodesText.code}
          description={discountCodesText.codeHint}
          {...draft.field('code')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <TextField
          label={discountCodesText.most}
          description={discountCodesText.mostHint}
          {...problemOf(limit, discountCodesText.badNumber)}
          {...draft.field('most')}
          inputMode="numeric"
          autoComplete="off"
        />
        <NativeSelect
          label={discountCodesText.kind}
          value={typed.kind}
          options={[
            { value: 'percent', label: discountCodesText.kinds.percent },
            { value: 'amount', label: discountCodesText.kinds.amount },
          ]}
          onChange={(value) => draft.write({ kind: value })}
        />
        <TextField
          label={
            isPercent ? discountCodesText.percent : `${discountCodesText.amount} (${currency.toUpperCase()})`
          }
          {...problemOf(discount, isPercent ? discountCodesText.badPercent : discountCodesText.badNumber)}
          {...draft.field('off')}
          inputMode="decimal"
          autoComplete="off"
        />
        <NativeSelect
          label={discountCodesText.duration}
          value={typed.duration}
          options={[
            { value: 'once', label: discountCodesText.durations.once },
            { value: 'forever', label: discountCodesText.durations.forever },
          ]}
          onChange={(value) => draft.write({ duration: value })}
        />
      </div>
      <Button type="submit" variant="primary" loading={add.isPending}>
        {discountCodesText.save}
      </Button>
    </form>
  )
}
