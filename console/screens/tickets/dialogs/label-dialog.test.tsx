import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { undoEdit } from '../../../state/tickets/edit-tickets.ts'
import { clearRefusal } from '../../../state/tickets/refusals.ts'
import { cachedTicket } from '../../../state/tickets/ticket-cache.ts'
import { LabelDialog } from './label-dialog.tsx'

const PROJECT_ID = 'prj_1'
const updateKey = (id: string) => `PATCH /projects/${PROJECT_ID}/tickets/${id}`
const FIND_LABEL = 'Find or write a label'
const labelledTicket = (id: string, labels: string[]) =>
  ({
    id,
    title: id,
    status: 'todo',
    type: 'task',
    priority: 'none',
    parent: null,
    labels,
    updatedAt: '2026-01-01T00:00:00Z',
  }) as unknown as Ticket
const labelsOf = (id: string) => cachedTicket(queryClient, PROJECT_ID, id)?.labels

function renderLabelDialog(
  tickets: Ticket[],
  inUse: string[] = [],
  refused: string[] = [],
  answered?: Promise<void>,
) {
  const closed: string[] = []
  const answer = (one: Ticket) => async (call: { body: unknown }) => {
    await answered
    return refused.includes(one.id)
      ? new Refusal(403, 'forbidden', 'No.')
      : { ...one, ...(call.body as object) }
  }
  const calls = serve({
    [`GET /projects/${PROJECT_ID}/tickets/labels`]: () => inUse.map((label) => ({ label, count: 1 })),
    ...Object.fromEntries(tickets.map((one) => [updateKey(one.id), answer(one)])),
  })
  for (const one of tickets) queryClient.setQueryData(ticketQuery(PROJECT_ID, one.id).queryKey, one)
  const ids = tickets.map(({ id }) => id)
  show(<LabelDialog projectId={PROJECT_ID} ids={ids} onClose={() => closed.push('closed')} />)
  return { closed, sent: (id: string) => calls[updateKey(id)]?.map(({ body }) => body) }
}
const labelBox = (label: string) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(label) })
const submitFind = () => fireEvent.submit(field(FIND_LABEL).closest('form') as HTMLFormElement)

describe('the label dialog', () => {
  afterEach(() => {
    clearRefusal('a')
    clearRefusal('b')
  })

  test('in the label dialog Enter adds the typed label, and in an empty field it saves the labels', async () => {
    const { closed, sent } = renderLabelDialog([labelledTicket('a', ['bug'])])
    write(FIND_LABEL, '  <b>later</b> ')
    submitFind()
    assert.equal(field(FIND_LABEL).value, '')
    assert.equal(labelBox('<b>later</b>').checked, true)
    assert.deepEqual(closed, [])
    submitFind()
    assert.deepEqual(closed, ['closed'])
    await waitFor(() => assert.deepEqual(sent('a'), [{ labels: ['bug', '<b>later</b>'] }]))
  })

  test('in the label dialog Enter adds an existing label whose full name is typed, in any letter case', async () => {
    const { closed, sent } = renderLabelDialog([labelledTicket('a', [])], ['Urgent'])
    await screen.findByRole('checkbox', { name: 'Urgent' })
    write(FIND_LABEL, 'urgent')
    submitFind()
    assert.deepEqual(closed, [], 'the dialog does not end without the label')
    assert.equal(labelBox('Urgent').checked, true)
    press('Save labels')
    await waitFor(() => assert.deepEqual(sent('a'), [{ labels: ['Urgent'] }]))
  })

  test('a label of only some selected tickets stays unchanged until its checkbox is pressed', async () => {
    const { sent } = renderLabelDialog([labelledTicket('a', ['ui', 'bug']), labelledTicket('b', ['bug'])])
    assert.equal(labelBox('ui').indeterminate, true)
    assert.ok(isShown('on some of them'))
    fireEvent.click(labelBox('bug'))
    press('Save labels')
    await waitFor(() => assert.deepEqual(sent('b'), [{ labels: [] }]))
    assert.deepEqual(sent('a'), [{ labels: ['ui'] }])
  })

  test('saving unchanged labels closes the label dialog and sends nothing', async () => {
    const { closed, sent } = renderLabelDialog([labelledTicket('a', ['bug'])])
    press('Save labels')
    await untilSent()
    assert.deepEqual([closed, sent('a')], [['closed'], []])
  })

  test('a ticket with more than twenty labels cannot be saved, and the dialog says why', () => {
    const { closed } = renderLabelDialog([
      labelledTicket(
        'a',
        Array.from({ length: 20 }, (_, n) => `l${n}`),
      ),
    ])
    write(FIND_LABEL, 'one more')
    submitFind()
    assert.ok(isShown('A ticket has at most 20 labels.'))
    assert.equal((button('Save labels') as HTMLButtonElement).disabled, true)
    submitFind()
    assert.deepEqual(closed, [])
  })

  test('a label change that is refused for one of two tickets is reverted only for the refused ticket', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { sent } = renderLabelDialog(
      [labelledTicket('a', ['ui']), labelledTicket('b', ['bug'])],
      [],
      ['a'],
      promise,
    )
    write(FIND_LABEL, 'new')
    submitFind()
    press('Save labels')
    await waitFor(() => assert.deepEqual(labelsOf('a'), ['ui', 'new']))
    resolve()
    await waitFor(() => assert.deepEqual(labelsOf('a'), ['ui']))
    await waitFor(() => assert.deepEqual(labelsOf('b'), ['bug', 'new']))
    assert.deepEqual([sent('a')?.length, sent('b')?.length], [1, 1])
  })

  test('Undo after a change of labels restores the earlier labels of every ticket', async () => {
    const { sent } = renderLabelDialog([labelledTicket('a', ['ui']), labelledTicket('b', [])])
    write(FIND_LABEL, 'new')
    submitFind()
    press('Save labels')
    await waitFor(() => assert.deepEqual(labelsOf('b'), ['new']))
    await waitFor(() => assert.equal(sent('b')?.length, 1))
    await waitFor(() => assert.equal(queryClient.isMutating(), 0))
    // The edit can be undone only after all its changes have settled.
    await new Promise((settled) => setImmediate(settled))
    await act(() => undoEdit())
    assert.deepEqual([labelsOf('a'), labelsOf('b')], [['ui'], []])
    assert.deepEqual([sent('a')?.at(-1), sent('b')?.at(-1)], [{ labels: ['ui'] }, { labels: [] }])
  })
})
