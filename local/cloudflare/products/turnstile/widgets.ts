import { hexId } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'

const OLD_SECRET_GRACE_MS = 2 * 3_600_000

export type WidgetMode = 'managed' | 'non-interactive' | 'invisible'

export interface Widget {
  sitekey: string
  accountId: string
  name: string
  domains: string[]
  mode: WidgetMode
  secret: string
  createdAt: number
  modifiedAt: number
}

interface WidgetRow {
  sitekey: string
  account_id: string
  name: string
  domains: JsonText<string[]>
  mode: WidgetMode
  secret: string
  created_at: number
  modified_at: number
}

const toWidget = (row: WidgetRow): Widget => ({
  sitekey: row.sitekey,
  accountId: row.account_id,
  name: row.name,
  domains: JSON.parse(row.domains),
  mode: row.mode,
  secret: row.secret,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
})

/**
 * The first digit of a widget's keys determines the result for every token, like the provider's published test keys: 1 accepts, 2 rejects,
 * 3 rejects as already used.
 */
const verifyOutcome = (name: string): string =>
  name.includes('fail-verify') ? '2' : name.includes('fail-spent') ? '3' : '1'

const newSecretOf = (name: string): string => `${verifyOutcome(name)}x00000000${hexId().slice(0, 23)}AA`

export function insertWidget(
  store: Store,
  widget: Pick<Widget, 'accountId' | 'name' | 'domains' | 'mode'>,
  now: number,
): Widget {
  const sitekey = `${verifyOutcome(widget.name)}x00000000${hexId().slice(0, 12)}AA`
  store.run(
    `INSERT INTO turnstile_widgets (sitekey, account_id, name, domains, mode, secret, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    sitekey,
    widget.accountId,
    widget.name,
    JSON.stringify(widget.domains) satisfies WidgetRow['domains'],
    widget.mode,
    newSecretOf(widget.name),
    now,
    now,
  )
  return requireStored(findWidget(store, widget.accountId, sitekey))
}

export function findWidget(store: Store, accountId: string, sitekey: string): Widget | null {
  const sql = 'SELECT * FROM turnstile_widgets WHERE account_id = ? AND sitekey = ?'
  const row = store.get<WidgetRow>(sql, accountId, sitekey)
  return row === undefined ? null : toWidget(row)
}

export const listWidgets = (store: Store, accountId: string): Widget[] =>
  store
    .all<WidgetRow>(
      'SELECT * FROM turnstile_widgets WHERE account_id = ? ORDER BY created_at, sitekey',
      accountId,
    )
    .map(toWidget)

export function updateWidget(store: Store, { sitekey, name, domains, mode }: Widget, now: number): void {
  const sql =
    'UPDATE turnstile_widgets SET name = ?, domains = ?, mode = ?, modified_at = ? WHERE sitekey = ?'
  store.run(sql, name, JSON.stringify(domains) satisfies WidgetRow['domains'], mode, now, sitekey)
}

/** Replaces the secret. The old secret is accepted for two more hours unless `endsAtOnce` is set. */
export function rotateSecret(store: Store, widget: Widget, now: number, endsAtOnce: boolean): Widget {
  store.run(
    `UPDATE turnstile_widgets SET former_secret = secret, former_until = ?, secret = ?, modified_at = ?
     WHERE sitekey = ?`,
    endsAtOnce ? now : now + OLD_SECRET_GRACE_MS,
    newSecretOf(widget.name),
    now,
    widget.sitekey,
  )
  return requireStored(findWidget(store, widget.accountId, widget.sitekey))
}

export function deleteWidget(store: Store, { sitekey }: Widget): void {
  store.run('DELETE FROM turnstile_widgets WHERE sitekey = ?', sitekey)
}

/** Finds the widget with this secret in all accounts, because a verification request does not name an account. */
export function widgetOfSecret(store: Store, secret: string, now: number): Widget | null {
  const row = store.get<WidgetRow>(
    'SELECT * FROM turnstile_widgets WHERE secret = ? OR (former_secret = ? AND former_until > ?)',
    secret,
    secret,
    now,
  )
  return row === undefined ? null : toWidget(row)
}
