import { ReceiptIcon } from '@phosphor-icons/react'
import { formatPrice } from '@slipway/runtime/pay/price.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appUsersQuery } from '../../../api/project/app-people.ts'
import {
  type Entitlement,
  entitlementsQuery,
  type Orders,
  ordersQuery,
  productNamesQuery,
  SALES_MAX,
} from './sales-query.ts'
import { href } from '../../../routes.ts'
import { salesText } from './text.en.ts'
import { LiveEmpty } from '../tab-parts/live-empty.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { LiveFailure } from '../tab-parts/live-failure.tsx'
import { LiveSkeleton } from '../tab-parts/live-skeleton.tsx'

type SalesOrder = Orders['items'][number]

const formatAmount = (amount: number, currency: string) => formatPrice({ amount, currency, interval: null })

export function Sales({ projectId }: { projectId: string }) {
  const orders = useQuery(ordersQuery(projectId))
  const entitlements = useQuery(entitlementsQuery(projectId))
  const names = useQuery(productNamesQuery(projectId))
  const nameOf = (id: string) => names.data?.get(id) ?? id
  if (orders.isPending) return <LiveSkeleton />
  if (!orders.data)
    return <LiveFailure projectId={projectId} error={orders.error} onRetry={() => void orders.refetch()} />
  const { items, rollup } = orders.data
  if (rollup.orders === 0)
    return (
      <LiveEmpty
        projectId={projectId}
        next="ticket"
        icon={<ReceiptIcon />}
        title={salesText.empty}
        hint={salesText.emptyHint}
      />
    )
  return (
    <div className="space-y-6">
      <SalesSums rollup={rollup} />
      {items.some(({ mode }) => mode === 'test') && (
        <p className="rounded-lg bg-kumo-fill px-3.5 py-3">{salesText.testNote}</p>
      )}
      <SalesList
        title={salesText.orders}
        note={items.length < SALES_MAX ? null : salesText.newest(SALES_MAX)}
      >
        {items.map((one) => (
          <li key={one.id} className="px-4 py-3">
            <OrderRow projectId={projectId} order={one} product={nameOf(one.productId)} />
          </li>
        ))}
      </SalesList>
      {entitlements.data && entitlements.data.length > 0 && (
        <SalesList title={salesText.entitlements} note={null}>
          {entitlements.data.map((one) => (
            <li key={`${one.userId} ${one.productId}`} className="px-4 py-3">
              <EntitlementRow projectId={projectId} entitlement={one} product={nameOf(one.productId)} />
            </li>
          ))}
        </SalesList>
      )}
    </div>
  )
}

function SalesSums({ rollup }: { rollup: Orders['rollup'] }) {
  const revenue = Object.entries(rollup.revenue).toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {revenue.map(([currency, amount]) => (
        <SalesSum key={currency} title={salesText.revenue}>
          {formatAmount(amount, currency)}
        </SalesSum>
      ))}
      <SalesSum title={salesText.paidOrders}>{salesText.paidOf(rollup.paid, rollup.orders)}</SalesSum>
    </dl>
  )
}

function SalesSum({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <dt className="text-[13px] text-kumo-subtle">{title}</dt>
      <dd className="text-xl font-medium text-kumo-strong tabular-nums">{children}</dd>
    </div>
  )
}

function SalesList({ title, note, children }: { title: string; note: string | null; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 font-medium text-kumo-strong">{title}</h2>
      {note !== null && <p className="mb-2 text-[13px] text-kumo-subtle">{note}</p>}
      <ul className="divide-y divide-kumo-line overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {children}
      </ul>
    </section>
  )
}

function OrderRow(props: { projectId: string; order: SalesOrder; product: string }) {
  const { projectId, order, product } = props
  const { amount, currency, status, refundedAmount, code, createdAt } = order
  return (
    <SalesRow
      title={product}
      side={formatAmount(amount, currency)}
      detail={
        <>
          {salesText.states[status]} <RelativeTime at={order.paidAt ?? createdAt} /> ·{' '}
          <BuyerName projectId={projectId} userId={order.userId} />
          {code !== null && ` · ${salesText.code(code)}`}
          {refundedAmount > 0 && ` · ${salesText.refunded(formatAmount(refundedAmount, currency))}`}
        </>
      }
    />
  )
}

function EntitlementRow(props: { projectId: string; entitlement: Entitlement; product: string }) {
  const { projectId, entitlement, product } = props
  return (
    <SalesRow
      title={product}
      side={salesText.kinds[entitlement.kind]}
      detail={
        <>
          <BuyerName projectId={projectId} userId={entitlement.userId} /> · {salesText.since}{' '}
          <RelativeTime at={entitlement.since} />
          {entitlement.until !== null && (
            <>
              {' '}
              · {salesText.until} <RelativeTime at={entitlement.until} />
            </>
          )}
        </>
      }
    />
  )
}

function SalesRow({ title, side, detail }: { title: string; side: string; detail: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words text-kumo-strong">{title}</p>
        <p className="text-[13px] text-kumo-subtle">{detail}</p>
      </div>
      <p className="text-kumo-default tabular-nums">{side}</p>
    </div>
  )
}

/** Shows the buyer of a sale. `userId` is null after the person was erased. */
function BuyerName({ projectId, userId }: { projectId: string; userId: string | null }) {
  const people = useQuery(appUsersQuery(projectId))
  if (userId === null) return <>{salesText.erased}</>
  const name = people.data?.find(({ id }) => id === userId)?.name
  return (
    <a
      className="underline underline-offset-2"
      href={href.capability(projectId, 'auth', { tab: 'live', q: userId })}
    >
      {name ?? salesText.buyer}
    </a>
  )
}
