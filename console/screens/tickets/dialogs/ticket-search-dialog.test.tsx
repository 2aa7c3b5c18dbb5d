import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { TicketSearchDialog } from './ticket-search-dialog.tsx'

const SEARCH = 'GET /projects/prj_1/tickets/search'
const pageOf = (...ids: string[]) => ({ items: ids.map((id) => testTicket(id)), nextCursor: null })
const FIND = 'Find a ticket'

function renderDialog(
  answer: (query: Record<string, string>) => unknown,
  part: { current?: string; first?: boolean } = {},
) {
  const did: string[] = []
  const calls = serve({ [SEARCH]: ({ query }) => answer(query) })
  show(
    <TicketSearchDialog
      projectId="prj_1"
      words={{ title: 'Choose', hint: 'One of them.', find: FIND }}
      offers={({ id }) => id !== 'hidden'}
      current={part.current ?? null}
      first={part.first ? { icon: null, words: 'The top', onChoose: () => did.push('top') } : null}
      onChoose={(id) => did.push(id)}
      onClose={() => did.push('closed')}
    />,
  )
  return { did, asked: () => calls[SEARCH]?.map(({ query }) => query['q'] ?? null) }
}
const offered = () => screen.queryAllByRole('listitem').map((one) => one.textContent)

describe('the dialog that finds a ticket', () => {
  test('the search dialog for tickets lists the newest first, without excluded tickets, and marks the current one', async () => {
    const { did, asked } = renderDialog(() => pageOf('a', 'hidden', 'b'), { current: 'b', first: true })
    await waitFor(() => assert.deepEqual(offered(), ['The top', 'Ticket a', 'Ticket b']))
    assert.deepEqual(
      screen.getAllByRole('button', { current: true }).map((one) => one.textContent),
      ['Ticket b'],
    )
    press('The top')
    press('Ticket a')
    press('Cancel')
    assert.deepEqual(did, ['top', 'a', 'closed'])
    assert.deepEqual(asked(), [null])
  })

  test('a search dialog for tickets offers at most fifty tickets', async () => {
    renderDialog(() => pageOf(...Array.from({ length: 60 }, (_, n) => `t${n}`)))
    await waitFor(() => assert.equal(offered().length, 50))
    assert.equal(offered().at(-1), 'Ticket t49')
  })

  test('a ticket search trims the text, and earlier results stay until new results arrive', async () => {
    const late = Promise.withResolvers<unknown>()
    const { asked } = renderDialog(({ q }) => (q === undefined ? pageOf('a') : late.promise))
    await waitFor(() => assert.deepEqual(offered(), ['Ticket a']))
    write(FIND, ' wa ')
    await untilSent()
    assert.deepEqual(asked(), [null, 'wa'])
    assert.deepEqual(offered(), ['Ticket a'])
    late.resolve(pageOf('water'))
    await waitFor(() => assert.deepEqual(offered(), ['Ticket water']))
  })

  test('the message that a ticket search found nothing disappears while the next search runs', async () => {
    const late = Promise.withResolvers<unknown>()
    renderDialog(({ q }) => (q === 'water' ? late.promise : q === 'wx' ? pageOf() : pageOf('a')))
    await waitFor(() => assert.deepEqual(offered(), ['Ticket a']))
    write(FIND, 'wx')
    await waitFor(() => assert.deepEqual(offered(), ['No other ticket matches']))
    write(FIND, 'water')
    await untilSent()
    assert.deepEqual(offered(), [])
    late.resolve(pageOf('water'))
    await waitFor(() => assert.deepEqual(offered(), ['Ticket water']))
  })

  test('a failed search for tickets shows the reason, and a button retries it', async () => {
    let isAway = true
    renderDialog(() => (isAway ? new Refusal(400, 'invalid_request', 'Not now.') : pageOf('a')))
    await assertAlert(/Not now/)
    assert.equal(isShown('No other ticket matches'), false)
    isAway = false
    press('Try again')
    await waitFor(() => assert.deepEqual(offered(), ['Ticket a']))
    assert.equal(field(FIND).value, '')
  })
})
