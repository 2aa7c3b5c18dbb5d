import { randomInt } from 'node:crypto'
import { type Db, transact, type Trx } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { Context } from '../../endpoint.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { lockUndeletedProject, requireNotDeleting } from '../../projects/lifecycle.ts'
import { type DesiredPromotionCode, findCode, listCodes, putCode } from '../../stripe/catalog.ts'
import type { StripeAccess } from '../../stripe/client.ts'
import { StripeError } from '../../stripe/errors.ts'
import { requireSelling } from './require-selling.ts'
import {
  archiveCodeRow,
  archiveOlderCodeRows,
  type CodeRow,
  deleteCodeRow,
  findCodeRow,
  insertCode,
  listCodeRows,
  desiredCodeOf,
} from './store.ts'
import { putCodeInModes, syncCode } from './sync.ts'

const CODES_MAX = 100

export interface CodeInput {
  code?: string | undefined
  percentOff?: number | undefined
  amountOff?: number | undefined
  currency?: string | undefined
  duration?: 'once' | 'forever' | undefined
  maxRedemptions?: number | undefined
}

/** Returns the active codes, each with its number of redemptions, which only Stripe knows. */
export async function readCodes(ctx: Context<'accounts'>, projectId: string) {
  const { project, selling } = await requireSelling(ctx, projectId)
  const rows = await listCodeRows(ctx.db, project)
  if (!rows.some(({ active }) => active)) return []
  return (await listRedeemable(selling, project.id, rows)).map(({ row, redeemed }) =>
    toShownCode(desiredCodeOf(row), redeemed),
  )
}

/** Returns the codes that can still be redeemed. Stripe deactivates a code when it reaches its maximum number of redemptions. */
async function listRedeemable(selling: StripeAccess, projectId: string, rows: CodeRow[]) {
  const live = new Map((await listCodes(selling, projectId, true)).map((one) => [one.promotion.coupon, one]))
  return rows.flatMap((row) => {
    const found = live.get(row.id)
    return row.active && found !== undefined ? [{ row, redeemed: found.times_redeemed }] : []
  })
}

/** Counts the codes that Stripe has ended. One that another request is still creating at Stripe is not among them. */
async function countUsedUp(selling: StripeAccess, projectId: string, rows: CodeRow[]): Promise<number> {
  const ended = new Set((await listCodes(selling, projectId, false)).map(({ promotion }) => promotion.coupon))
  return rows.filter(({ id }) => ended.has(id)).length
}

/** Creates a discount code at Stripe, in live mode, test mode or both, depending on which keys are stored. */
export async function addCode(ctx: Context<'accounts'>, projectId: string, input: CodeInput) {
  const { project, selling, modes } = await requireSelling(ctx, projectId)
  requireOneDiscount(input)
  requireNotDeleting(project)
  const rows = await listActiveRows(ctx.db, project)
  // Only Stripe knows which codes are used up. It is called only when the project has reached the maximum.
  const usedUp = rows.length < CODES_MAX ? 0 : await countUsedUp(selling, project.id, rows)
  const desired: DesiredPromotionCode = {
    id: newId('code'),
    projectId: project.id,
    code: input.code?.toUpperCase() ?? randomCode(),
    percentOff: input.percentOff ?? null,
    amountOff: input.amountOff ?? null,
    currency: input.amountOff === undefined ? null : (input.currency ?? null),
    duration: input.duration ?? 'once',
    maxRedemptions: input.maxRedemptions ?? null,
    active: true,
  }
  // The row is stored before Stripe is called, so that the console lists every code that can be redeemed.
  await transact(ctx.db, async (trx) => {
    // Without the lock, requests at the same moment would not count each other's code.
    await lockUndeletedProject(trx, project)
    if ((await listActiveRows(trx, project)).length - usedUp >= CODES_MAX)
      throw conflict(`A project has at most ${CODES_MAX} codes in force. Archive one first.`)
    await insertCode(trx, project, desired, ctx.clock.now())
  })
  try {
    await putCodeInModes(modes, desired)
  } catch (error) {
    // A code that may still be active at Stripe keeps its row, so that it is listed and can be archived.
    if (await deactivateCode(modes, desired)) await deleteCodeRow(ctx.db, project, desired.id)
    throw asRefusal(error)
  }
  // Stripe accepts a text only while no other code with it can be redeemed. So an older row with it is of a code that is used up, or that
  // was never created because its process died. Saving another key would create the latter, which Stripe would refuse.
  await archiveOlderCodeRows(ctx.db, project, desired)
  return toShownCode(desired, 0)
}

const listActiveRows = async (db: Db | Trx, project: ProjectIds): Promise<CodeRow[]> =>
  (await listCodeRows(db, project)).filter(({ active }) => active)

function requireOneDiscount({ percentOff, amountOff, currency }: CodeInput): void {
  if ((percentOff === undefined) === (amountOff === undefined))
    throw invalid('percentOff', 'give either percentOff or amountOff')
  if (amountOff !== undefined && currency === undefined) throw invalid('currency', 'is needed with amountOff')
}

/** Stops further redemptions. People who have redeemed the code keep their discount. */
export async function archiveCode(ctx: Context<'accounts'>, projectId: string, codeId: string) {
  const { project, selling, modes } = await requireSelling(ctx, projectId)
  requireNotDeleting(project)
  const row = await findCodeRow(ctx.db, project, codeId)
  if (row === null) throw notFound('code')
  const found = await findCode(selling, codeId)
  const desired = { ...desiredCodeOf(row), active: false }
  await putCodeInModes(modes, desired)
  await archiveCodeRow(ctx.db, project, codeId)
  // The job of a saved key may have created the code meanwhile in a mode that did not have it.
  await syncCode(ctx.db, project, modes, codeId)
  return toShownCode(desired, found?.times_redeemed ?? 0)
}

/** Returns false when a mode could not be reached, where the code may still be active. */
async function deactivateCode(modes: StripeAccess[], desired: DesiredPromotionCode): Promise<boolean> {
  let isInactive = true
  for (const access of modes) {
    try {
      await putCode(access, { ...desired, active: false })
    } catch (error) {
      if (!(error instanceof StripeError)) throw error
      // A key that may not list codes was refused before it created one.
      if (error.retryable) isInactive = false
    }
  }
  return isInactive
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof StripeError) || error.status !== 400) return error
  if (/already exists/i.test(error.providerMessage))
    return invalid('code', 'is in use in the Stripe account; choose another text')
  const field = { code: 'code', currency: 'currency', percent_off: 'percentOff', amount_off: 'amountOff' }[
    error.param ?? ''
  ]
  return field === undefined ? error : invalid(field, `is refused by Stripe: ${error.providerMessage}`)
}

/** Without letters and digits that are easily confused. */
const CODE_LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

const randomCode = (): string =>
  Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('')

const toShownCode = (
  { projectId: _project, active, ...desired }: DesiredPromotionCode,
  redeemed: number,
) => ({
  ...desired,
  redeemed,
  active,
})
