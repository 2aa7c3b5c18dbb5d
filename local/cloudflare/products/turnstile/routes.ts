import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { isoTime, respondWithPage, respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { sortList } from '../../rest/list-filters.ts'
import { readBody } from '../../rest/read-body.ts'
import {
  deleteWidget,
  findWidget,
  insertWidget,
  listWidgets,
  rotateSecret,
  updateWidget,
  type Widget,
} from './widgets.ts'

const WIDGETS_MAX = 20
const Input = z.object({
  name: z.string().min(1).max(254),
  domains: z.array(z.string().regex(/^[a-z0-9.-]{1,253}$/, 'must be a host name')).max(15),
  mode: z.enum(['managed', 'non-interactive', 'invisible']),
})
const Rotation = z.object({ invalidate_immediately: z.boolean().default(false) })

/** Mounted at /challenges/widgets. */
export function turnstileRoutes({ store, now }: Cloud): Hono<ApiEnv> {
  const requireWidget = (c: Context<ApiEnv>): Widget => {
    const widget = findWidget(store, c.get('account').id, c.req.param('sitekey') ?? '')
    if (widget === null) throw new ApiFailure(404, 10404, 'Widget not found.')
    return widget
  }
  return new Hono<ApiEnv>()
    .use(requireScope('challenge-widgets.write'))
    .get('/', (c) => {
      const found = filterWidgets(listWidgets(store, c.get('account').id), c.req.query('filter') ?? '')
      const sorted = sortList(c, found, {
        id: ({ sitekey }) => sitekey,
        sitekey: ({ sitekey }) => sitekey,
        name: ({ name }) => name,
        created_on: ({ createdAt }) => createdAt,
        modified_on: ({ modifiedAt }) => modifiedAt,
      })
      return respondWithPage(c, sorted.map(toWidget))
    })
    .post('/', async (c) => {
      const { id: accountId } = c.get('account')
      const input = await readBody(c, Input)
      if (listWidgets(store, accountId).length >= WIDGETS_MAX)
        throw new ApiFailure(403, 10405, `An account has at most ${WIDGETS_MAX} widgets.`)
      return respond(c, toWidgetWithSecret(insertWidget(store, { accountId, ...input }, now())))
    })
    .get('/:sitekey', (c) => respond(c, toWidgetWithSecret(requireWidget(c))))
    .put('/:sitekey', async (c) => {
      const widget = requireWidget(c)
      updateWidget(store, { ...widget, ...(await readBody(c, Input)) }, now())
      return respond(c, toWidgetWithSecret(requireWidget(c)))
    })
    .delete('/:sitekey', (c) => {
      const widget = requireWidget(c)
      deleteWidget(store, widget)
      return respond(c, toWidgetWithSecret(widget))
    })
    .post('/:sitekey/rotate_secret', async (c) => {
      const widget = requireWidget(c)
      const { invalidate_immediately } = await readBody(c, Rotation)
      return respond(c, toWidgetWithSecret(rotateSecret(store, widget, now(), invalidate_immediately)))
    })
}

/** Keeps the widgets whose field contains the text of a filter such as `name:shop`. An empty filter text keeps all widgets. */
function filterWidgets(widgets: Widget[], filter: string): Widget[] {
  if (filter === '') return widgets
  const [, field, text = ''] = /^(name|sitekey):(.*)$/s.exec(filter) ?? []
  if (field !== 'name' && field !== 'sitekey')
    throw new ApiFailure(400, 10001, 'filter must be name:<text> or sitekey:<text>')
  return widgets.filter((widget) => widget[field].toLowerCase().includes(text.toLowerCase()))
}

const toWidget = ({ sitekey, name, domains, mode, createdAt, modifiedAt }: Widget) => ({
  sitekey,
  name,
  domains,
  mode,
  created_on: isoTime(createdAt),
  modified_on: isoTime(modifiedAt),
  bot_fight_mode: false,
  clearance_level: 'no_clearance',
  ephemeral_id: false,
  offlabel: false,
  region: 'world',
})

const toWidgetWithSecret = (widget: Widget) => ({ ...toWidget(widget), secret: widget.secret })
