import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { ensureResource } from './create-once.ts'

const Listed = z.looseObject({
  sitekey: z.string(),
  name: z.string(),
  domains: z.array(z.string()),
  mode: z.string(),
})
const Whole = Listed.extend({ secret: z.string().nullish() })

/** The settings of a widget. Its name need not be unique at the provider. */
export interface WidgetInput {
  name: string
  domains: string[]
  mode: string
}
export type Widget = z.output<typeof Listed>

const WIDGETS_PATH = '/accounts/:account/challenges/widgets'
const widgetPath = (sitekey: string) => `${WIDGETS_PATH}/${encodeURIComponent(sitekey)}`
const PAGE_SIZE = 50
const PAGES_MAX = 20

/**
 * Returns the oldest widget with this name, or null. Names are not unique at the provider, and every caller has to
 * find the same widget.
 */
export async function findWidget(cloud: Cloud, name: string): Promise<Widget | null> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const some = await cloud.call({
      method: 'GET',
      path: WIDGETS_PATH,
      query: { page: String(page), per_page: String(PAGE_SIZE), order: 'created_on', direction: 'asc' },
      doing: `look up the widget ${name}`,
      result: z.array(Listed),
    })
    const found = some.find((one) => one.name === name)
    if (found !== undefined) return found
    if (some.length < PAGE_SIZE) return null
  }
  return null
}

/**
 * Creates a widget if it does not exist. A caller that knows the widget to be missing sets `wasMissing` to save a
 * look-up. After a lost response the function looks for the widget before it sends the call again.
 */
export async function ensureWidget(
  cloud: Cloud,
  input: WidgetInput,
  { wasMissing = false }: { wasMissing?: boolean } = {},
): Promise<Widget> {
  const findByName = () => findWidget(cloud, input.name)
  const createWidget = () =>
    cloud.call({
      method: 'POST',
      path: WIDGETS_PATH,
      json: input,
      doing: `create the widget ${input.name}`,
      result: Whole,
      write: { action: 'widget.create', target: input.name },
    })
  return await ensureResource<Widget>({ find: findByName, create: createWidget, wasMissing })
}

/** Changes the domains and settings of a widget. Idempotent. */
export async function changeWidget(cloud: Cloud, { sitekey }: Widget, input: WidgetInput): Promise<void> {
  await cloud.call({
    method: 'PUT',
    path: widgetPath(sitekey),
    json: input,
    doing: `change the widget ${input.name}`,
    result: z.unknown(),
    write: { action: 'widget.change', target: input.name },
    repeatable: true,
  })
}

/** Returns the secret of a widget. When the provider does not return the existing one, replaces it with a new one. */
export async function readWidgetSecret(cloud: Cloud, { sitekey, name }: Widget): Promise<string> {
  const { secret } = await cloud.call({
    method: 'GET',
    path: widgetPath(sitekey),
    doing: `read the widget ${name}`,
    result: Whole,
  })
  if (secret != null && secret !== '') return secret
  const rotated = await cloud.call({
    method: 'POST',
    path: `${widgetPath(sitekey)}/rotate_secret`,
    // The old secret must remain valid until the workers have received the new one.
    json: { invalidate_immediately: false },
    doing: `rotate the secret of the widget ${name}`,
    result: Whole.extend({ secret: z.string().min(1) }),
    write: { action: 'widget.rotate', target: name },
    repeatable: true,
  })
  return rotated.secret
}

/** Deletes a widget. Succeeds when there is none. */
export async function deleteWidget(cloud: Cloud, { sitekey, name }: Widget): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: widgetPath(sitekey),
    doing: `remove the widget ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'widget.remove', target: name },
  })
}
