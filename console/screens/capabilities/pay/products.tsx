import { ShoppingBagIcon } from '@phosphor-icons/react'
import { formatPrice } from '@slipway/runtime/pay/price.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { addProduct, archiveProduct, type Product, productsQuery, setPrice } from './query.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { type TypedFields, useDraftFields } from '../../../shell/use-draft-fields.ts'
import { payText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'
import { parseMoney } from './money.ts'
import { declaredKeys } from '../../../lib/fields.ts'

const productsText = payText.products
const PRICE_INTERVALS = declaredKeys(productsText.intervals)

export function Products({ projectId, currency }: { projectId: string; currency: string }) {
  return (
    <section
      aria-labelledby="products"
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div className="space-y-1">
        <h2 id="products" className="text-[15px] font-semibold text-kumo-strong">
          {productsText.title}
        </h2>
        <p className="text-kumo-subtle">{productsText.hint}</p>
      </div>
      <ProductList projectId={projectId} />
      <ProductForm projectId={projectId} currency={currency} />
    </section>
  )
}

function ProductList({ projectId }: { projectId: string }) {
  const products = useQuery(productsQuery(projectId))
  if (products.isPending) return <LiveSkeleton />
  if (!products.data)
    return (
      <LiveFailure projectId={projectId} error={products.error} onRetry={() => void products.refetch()} />
    )
  if (products.data.length === 0)
    return (
      <EmptyNote
        icon={<ShoppingBagIcon />}
        title={productsText.empty}
        hint={productsText.emptyHint}
        level="h3"
      />
    )
  return (
    <ul className="divide-y divide-kumo-line rounded-lg ring-1 ring-kumo-line">
      {products.data.map((product) => (
        <li key={product.id}>
          <ProductRow projectId={projectId} product={product} />
        </li>
      ))}
    </ul>
  )
}

function ProductRow({ projectId, product }: { projectId: string; product: Product }) {
  const { id, name, active } = product
  const [open, setOpen] = useState<'price' | 'archive' | null>(null)
  const newPrice = useRef<HTMLButtonElement>(null)
  const closePrice = () => {
    setOpen(null)
    newPrice.current?.focus()
  }
  return (
    <div className="space-y-3 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <p className={`font-medium break-words ${active ? 'text-kumo-strong' : 'text-kumo-subtle'}`}>
            {name}
          </p>
          <p className="flex flex-wrap items-center gap-x-1 text-[13px] text-kumo-subtle">
            <span>
              {formatPrice(product)}
              {!active && ` · ${productsText.archived}`}
            </span>
            <code className="break-all">{id}</code>
            <CopyButton value={id} label={productsText.copyId(name)} />
          </p>
        </div>
        {active && (
          <div className="flex gap-1">
            <Button
              ref={newPrice}
              size="sm"
              variant="ghost"
              aria-label={productsText.newPriceOf(name)}
              aria-expanded={open === 'price'}
              onClick={() => setOpen(open === 'price' ? null : 'price')}
            >
              {productsText.newPrice}
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-label={productsText.archiveOf(name)}
              onClick={() => setOpen('archive')}
            >
              {productsText.archive}
            </Button>
          </div>
        )}
      </div>
      {open === 'price' && <PriceForm projectId={projectId} product={product} onDone={closePrice} />}
      {open === 'archive' && (
        <ArchiveProduct projectId={projectId} product={product} onClose={() => setOpen(null)} />
      )}
    </div>
  )
}

function PriceForm(props: { projectId: string; product: Product; onDone: () => void }) {
  const { projectId, product, onDone } = props
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const amount = parseMoney(typed, product.currency)
  const set = useMutation({
    mutationFn: (next: number) => setPrice(projectId, product.id, next),
    onSettled: () => client.invalidateQueries(productsQuery(projectId)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (amount !== null && !set.isPending) set.mutate(amount, { onSuccess: onDone })
  }
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={productsText.newPriceOf(product.name)}
      className="space-y-3"
    >
      {set.isError && <FailureNote title={productsText.notSet} error={set.error} takeFocus />}
      <TextField
        label={`${productsText.amount} (${product.currency.toUpperCase()})`}
        description={productsText.priceHint}
        {...(isAsked && amount === null && { error: productsText.badAmount })}
        value={typed}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" loading={set.isPending}>
          {productsText.setPrice}
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          {productsText.cancel}
        </Button>
      </div>
    </form>
  )
}

function ArchiveProduct(props: { projectId: string; product: Product; onClose: () => void }) {
  const { projectId, product, onClose } = props
  const client = useQueryClient()
  const archive = useMutation({
    mutationFn: () => archiveProduct(projectId, product.id),
    onSettled: () => client.invalidateQueries(productsQuery(projectId)),
  })
  return (
    <Confirm
      title={productsText.archiveAsk(product.name)}
      consequence={productsText.archiveConsequence}
      submit={productsText.archive}
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function ProductForm({ projectId, currency: preset }: { projectId: string; currency: string }) {
  const client = useQueryClient()
  const draft = useDraftFields('product', projectId, {
    name: '',
    amount: '',
    currency: preset,
    interval: 'once',
  })
  const [name, currency] = [draft.textOf('name'), draft.textOf('currency')]
  const interval = PRICE_INTERVALS.find((one) => one === draft.textOf('interval')) ?? 'once'
  const [isAsked, setAsked] = useState(false)
  const amount = parseMoney(draft.textOf('amount'), currency)
  const add = useMutation({
    mutationFn: ({ price }: { price: number; typed: TypedFields }) =>
      addProduct(projectId, {
        ...(name.trim() !== '' && { name: name.trim() }),
        amount: price,
        currency: currency.trim().toLowerCase(),
        ...(interval !== 'once' && { interval }),
      }),
    onSuccess: (_added, sent) => {
      // Keep text that was typed while the request ran, because it belongs to the next product. Also keep the currency, which the next
      // product probably shares.
      const { currency: _kept, ...forgotten } = sent.typed
      draft.forget(forgotten)
      setAsked(false)
    },
    onSettled: () => client.invalidateQueries(productsQuery(projectId)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (amount !== null && !add.isPending) add.mutate({ price: amount, typed: draft.typed })
  }
  return (
    <form noValidate onSubmit={submit} aria-label={productsText.add} className="space-y-3">
      <h3 className="font-medium text-kumo-strong">{productsText.add}</h3>
      {add.isError && <FailureNote title={productsText.notMade} error={add.error} takeFocus />}
      <FormDraftNote draft={draft} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label={productsText.name} {...draft.field('name')} autoComplete="off" />
        <TextField
          label={productsText.amount}
          description={productsText.amountHint}
          {...(isAsked && amount === null && { error: productsText.badAmount })}
          {...draft.field('amount')}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          label={productsText.currency}
          {...draft.field('currency')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={3}
        />
        <NativeSelect
          label={productsText.interval}
          value={interval}
          options={PRICE_INTERVALS.map((value) => ({ value, label: productsText.intervals[value] }))}
          onChange={(next) => draft.write({ interval: next })}
        />
      </div>
      <Button type="submit" variant="primary" loading={add.isPending}>
        {productsText.save}
      </Button>
    </form>
  )
}
