import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
import {
  assertAlert,
  button,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { TicketDetails } from './ticket-details.tsx'

const TICKETS_PATH = '/projects/prj_1/tickets'
const UPLOAD = 'POST /projects/prj_1/attachments/upload-init'
let lastTicket = 0

/** Each test needs a separate ticket, because ticket errors are stored outside the components. */
async function renderDetails(
  part: Partial<Ticket> = {},
  answers: Record<string, () => unknown> = {},
  refusal?: Refusal,
) {
  lastTicket += 1
  const id = `tkt_details_${lastTicket}`
  const update = `PATCH ${TICKETS_PATH}/${id}`
  let ticket = testTicket(id, { title: 'Water the plants', ...part })
  const calls = serve({
    [`GET ${TICKETS_PATH}/${id}`]: () => ticket,
    [update]: ({ body }) => {
      ticket = { ...ticket, ...(body as Partial<Ticket>) }
      return ticket
    },
    [`GET ${TICKETS_PATH}/search`]: () => ({
      items: [ticket, { ...ticket, id: 'tkt_epic', title: 'Garden' }],
      nextCursor: null,
    }),
    ...answers,
    ...(refusal && { [update]: () => refusal }),
  })
  function Page() {
    const shown = useQuery(ticketQuery('prj_1', id)).data
    return shown ? <TicketDetails projectId="prj_1" ticket={shown} /> : null
  }
  show(<Page />)
  await screen.findByRole('group', { name: 'Properties' })
  return {
    saved: () => sent(calls, update),
    uploads: () => sent(calls, UPLOAD),
    changeElsewhere: async (change: Partial<Ticket>) => {
      ticket = { ...ticket, ...change }
      await readAgain(ticketQuery('prj_1', id).queryKey)
    },
  }
}

describe('the details of a ticket', () => {
  test("a ticket's new status is shown before the service responds, is saved, and can be undone", async () => {
    const { saved } = await renderDetails()
    write('Status', 'done')
    await waitFor(() => assert.equal(field('Status').value, 'done'))
    assert.ok(await findMessage('Status changed'))
    press('Undo')
    await waitFor(() => assert.equal(field('Status').value, 'todo'))
    assert.deepEqual(saved(), [{ status: 'done' }, { status: 'todo' }])
  })

  test('a refused ticket change restores the old value and shows the reason with the request id', async () => {
    await renderDetails({}, {}, new Refusal(409, 'conflict', 'It is being built.'))
    write('Priority', 'urgent')
    await assertAlert(/Not saved: It is being built/)
    assert.equal(field('Priority').value, 'none')
    assert.ok(button('Copy the request id'))
    press('Dismiss')
    assert.ok(!isThere('alert'))
  })

  test('a description that is too long is sent in full, and is restored to its field when the service refuses it', async () => {
    const refused = new Refusal(400, 'invalid_request', 'body: must be at most 64 KiB')
    const { saved } = await renderDetails({ body: 'Short' }, {}, refused)
    press('Edit: Details')
    const long = 'x'.repeat(70_000)
    assert.equal(field('Details').maxLength, -1)
    write('Details', long)
    fireEvent.keyDown(field('Details'), { key: 'Enter', ctrlKey: true })
    await assertAlert(/at most 64 KiB/)
    assert.equal((await screen.findByLabelText<HTMLTextAreaElement>('Details')).value, long)
    assert.deepEqual(saved(), [{ body: long }])
  })

  test('leaving the due date field saves the end of the entered day, and a past due date is marked as overdue', async () => {
    const { saved } = await renderDetails()
    fireEvent.blur(field('Due'), { target: { value: '2026-01-05' } })
    await waitFor(() => assert.equal(saved()?.length, 1))
    assert.deepEqual(saved(), [{ dueAt: new Date('2026-01-05T23:59:59').toISOString() }])
    assert.ok(await screen.findByText('Overdue'))
    press('Remove the due date')
    await waitFor(() => assert.deepEqual(saved()?.[1], { dueAt: null }))
    await waitFor(() => assert.ok(document.activeElement === field('Due')), { timeout: 2000 })
  })

  test('a due date whose year was typed with two digits is saved and shown in this century', async () => {
    const { saved } = await renderDetails({ dueAt: new Date('2999-01-05T23:59:59').toISOString() })
    const dueAt = new Date('2099-01-05T23:59:59').toISOString()
    for (let times = 0; times < 2; times++) {
      fireEvent.input(field('Due'), { target: { value: '0099-01-05' } })
      fireEvent.blur(field('Due'))
      assert.equal(field('Due').value, '2099-01-05')
      // The second time the day is the stored one, so there is nothing to save.
      await waitFor(() => assert.deepEqual(saved(), [{ dueAt }]))
    }
  })

  test('a due date that another person changes neither replaces a typed due date nor takes the focus', async () => {
    const dueAt = (day: string) => new Date(`${day}T23:59:59`).toISOString()
    const { saved, changeElsewhere } = await renderDetails({ dueAt: dueAt('2999-01-05') })
    act(() => field('Due').focus())
    await changeElsewhere({ dueAt: dueAt('2999-01-06') })
    assert.equal(field('Due').value, '2999-01-06')
    fireEvent.input(field('Due'), { target: { value: '2999-03-01' } })
    await changeElsewhere({ dueAt: dueAt('2999-01-07') })
    assert.equal(field('Due').value, '2999-03-01')
    assert.ok(document.activeElement === field('Due'))
    act(() => field('Due').blur())
    await waitFor(() => assert.deepEqual(saved(), [{ dueAt: dueAt('2999-03-01') }]))
  })

  test('a due date whose field was only focused is not saved', async () => {
    const { saved } = await renderDetails({ dueAt: new Date('2999-01-05T23:59:59').toISOString() })
    fireEvent.focus(field('Due'))
    fireEvent.blur(field('Due'))
    assert.ok(!isShown('Overdue'))
    await untilSent()
    assert.deepEqual(saved(), [])
  })

  test('a ticket title that the service refuses is put back into its field as typed', async () => {
    await renderDetails({}, {}, new Refusal(400, 'invalid_request', 'title: is taken'))
    press('Edit: Title')
    write('Title', 'Water them daily')
    press('Save')
    await assertAlert(/Not saved: Is taken/)
    assert.equal(field('Title').value, 'Water them daily')
  })

  test('a ticket without details says that the model reads only its title, and which kinds of files can be attached', async () => {
    await renderDetails()
    assert.ok(isShown('No details. The title is all the model reads.'))
    assert.ok(isShown(/Choose, drop or paste pictures and PDFs/))
  })

  test('an epic has no button to add a dependency, because it is never built', async () => {
    await renderDetails({ type: 'epic' })
    assert.ok(!isThere('button', 'Add a dependency'))
  })

  test('a ticket from another system links to its original only if the address cannot run code', async () => {
    await renderDetails({ source: 'ingest', url: 'https://forum.test/7' })
    assert.ok(isThere('link', /Open the original/))
    await renderDetails({ source: 'ingest', url: 'javascript:alert(1)' })
    assert.ok(isShown('javascript:alert(1)'))
    assert.equal(document.querySelectorAll('a[href^="javascript"]').length, 0)
  })
})

describe('the parent dialog of a ticket', () => {
  test("the dialog for a ticket's parent offers other tickets, but not the ticket itself", async () => {
    const { saved } = await renderDetails()
    press('Change parent')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move ticket' }))
    const garden = await dialog.findByRole('button', { name: 'Garden' })
    assert.ok(!isThere('button', 'Water the plants'))
    fireEvent.click(garden)
    await waitFor(() => assert.deepEqual(saved(), [{ parent: 'tkt_epic' }]))
    assert.ok(!isThere('dialog'))
  })

  test('a failed search for a parent ticket can be retried, and an empty result is reported', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await renderDetails(
      {},
      { [`GET ${TICKETS_PATH}/search`]: () => answers.shift() ?? { items: [], nextCursor: null } },
    )
    press('Change parent')
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.ok(await screen.findByText('No other ticket matches'))
  })

  test('a ticket can be moved to the top level, and Cancel keeps its parent', async () => {
    const { saved } = await renderDetails(
      { parent: 'tkt_epic' },
      { [`GET ${TICKETS_PATH}/tkt_epic`]: () => ({ title: 'Garden', status: 'todo' }) },
    )
    assert.ok(await screen.findByRole('link', { name: /Garden/ }))
    press('Change parent')
    await screen.findByRole('dialog')
    press('Cancel')
    await waitFor(() => assert.ok(!isThere('dialog')))
    press('Change parent')
    fireEvent.click(await screen.findByRole('button', { name: 'No parent: top level' }))
    await waitFor(() => assert.deepEqual(saved(), [{ parent: null }]))
  })
})

describe('the attachments of a ticket', () => {
  const attach = (...files: File[]) => fireEvent.change(field('Attach files'), { target: { files } })

  test('an attachment of a type that no model can read is refused by file name before anything is sent', async () => {
    const { uploads } = await renderDetails(
      {},
      { [UPLOAD]: () => new Refusal(403, 'forbidden', 'You may not.') },
    )
    attach(
      new File(['x'], 'notes.txt', { type: 'text/plain' }),
      new File([], 'empty.png', { type: 'image/png' }),
    )
    const refused = await screen.findByRole('alert')
    assert.match(refused.textContent ?? '', /notes\.txt:.*empty\.png:/)
    await untilSent()
    assert.deepEqual(uploads(), [])
  })

  test('removing an attachment moves the focus to the button that attaches files, and can be undone', async () => {
    const { saved } = await renderDetails({ attachments: ['_prompt/abc'] })
    fireEvent.click(await screen.findByRole('button', { name: /^Remove / }))
    await waitFor(() => assert.deepEqual(saved(), [{ attachments: [] }]))
    assert.ok(document.activeElement === button('Attach files'))
    assert.ok(await findMessage(/ removed$/))
    press('Undo')
    await waitFor(() => assert.deepEqual(saved()?.[1], { attachments: ['_prompt/abc'] }))
  })

  test('an attachment whose type and size cannot be loaded says so and keeps its download link', async () => {
    await renderDetails({ attachments: ['_prompt/abc'] })
    assert.ok(await screen.findByText('The file cannot be read now.'))
    assert.ok(screen.getByRole('link', { name: /^Download Picture 1/ }))
  })
})
