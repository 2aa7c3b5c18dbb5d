import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { openDraft } from '../../shell/drafts.ts'
import {
  assertAlert,
  field,
  findMessage,
  isShown,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { NewProject } from './new-project.tsx'

const CREATE_PROJECT = 'POST /projects'
const CAPTURE_TICKET = 'POST /projects/prj_new/tickets/capture'
const LABEL = 'Describe what you want to build'
const ticket = { id: 'tkt_plants', title: 'Plants', build: { state: 'idle', runId: null } }

async function renderProjects(answers: Record<string, () => unknown> = {}, address = '/projects') {
  const keys: string[] = []
  const calls = serve({
    'GET /connections/models': () => [],
    [CREATE_PROJECT]: () => ({ id: 'prj_new', name: 'Plants' }),
    [CAPTURE_TICKET]: () => ticket,
    'GET /projects/prj_new/tickets/tkt_plants': () => ticket,
    'POST /projects/prj_new/tickets/tkt_plants/build/stream': () => new Refusal(409, 'conflict', 'Later.'),
    ...answers,
  })
  const served = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const key = input instanceof Request ? input.headers.get('Idempotency-Key') : null
    if (key !== null) keys.push(key)
    return served(input, init)
  }
  const page = await showAt('/app/projects', NewProject, address)
  await screen.findByLabelText(LABEL)
  return { calls, keys, ...page }
}
const pressEnter = () => fireEvent.keyDown(field(LABEL), { key: 'Enter' })

describe('the app description that becomes a project', () => {
  test('Enter creates a project and a ticket from the app description, opens the ticket and removes the draft', async () => {
    const { calls, place } = await renderProjects()
    write(LABEL, '  Track my plants  ')
    assert.equal(openDraft('new-project').read(), '  Track my plants  ')
    pressEnter()
    await waitFor(() => assert.match(place(), /^\/projects\/prj_new\?/))
    assert.match(place(), /ticket=tkt_plants/)
    assert.deepEqual(calls[CAPTURE_TICKET]?.[0]?.body, { text: 'Track my plants' })
    assert.equal(openDraft('new-project').read(), '')
  })

  test('an empty app description creates nothing, and pressing Enter twice creates one project', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, place } = await renderProjects({ [CREATE_PROJECT]: () => promise })
    write(LABEL, '   ')
    pressEnter()
    write(LABEL, 'Plants')
    pressEnter()
    await screen.findByText('Creating the project')
    pressEnter()
    press(/Start building/)
    resolve({ id: 'prj_new', name: 'Plants' })
    await waitFor(() => assert.match(place(), /prj_new/))
    assert.deepEqual([calls[CREATE_PROJECT]?.length, calls[CAPTURE_TICKET]?.length], [1, 1])
  })

  test('an app description that is typed while another project is being created is stored as a draft', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { place } = await renderProjects({ [CREATE_PROJECT]: () => promise })
    write(LABEL, 'Plants')
    pressEnter()
    await screen.findByText('Creating the project')
    write(LABEL, 'A list of books')
    resolve({ id: 'prj_new', name: 'Plants' })
    await waitFor(() => assert.match(place(), /prj_new/))
    assert.equal(openDraft('new-project').read(), 'A list of books')
  })

  test('an app description whose ticket is refused stays in its field, and “Try again” creates no second project', async () => {
    const answers = [new Refusal(402, 'payment_required', 'No build is left.'), ticket]
    const { keys, place } = await renderProjects({ [CAPTURE_TICKET]: () => answers.shift() })
    write(LABEL, 'Plants')
    pressEnter()
    await assertAlert(/No build is left/)
    assert.equal(field(LABEL).value, 'Plants')
    press('Try again')
    await waitFor(() => assert.match(place(), /prj_new/))
    assert.equal(new Set(keys).size, 2, 'both tries have the same two keys')
  })

  test('an app description that is edited after its ticket was refused becomes a ticket of the project that already exists', async () => {
    const answers = [new Refusal(400, 'invalid_request', 'text: must be shorter'), ticket]
    const { keys, place } = await renderProjects({ [CAPTURE_TICKET]: () => answers.shift() })
    write(LABEL, 'Far too long')
    pressEnter()
    await assertAlert(/Must be shorter/)
    write(LABEL, 'Short')
    pressEnter()
    await waitFor(() => assert.match(place(), /prj_new/))
    const projects = new Set(keys.filter((key) => key.startsWith('project-')))
    const tickets = new Set(keys.filter((key) => key.startsWith('ticket-')))
    assert.deepEqual([projects.size, tickets.size], [1, 2])
  })

  test('when the project of a failed attempt no longer exists, the next attempt creates another project', async () => {
    const answers = [new Refusal(404, 'not_found', 'No such project.'), ticket]
    const { keys, place } = await renderProjects({ [CAPTURE_TICKET]: () => answers.shift() })
    write(LABEL, 'Plants')
    pressEnter()
    await assertAlert(/does not exist/)
    pressEnter()
    await waitFor(() => assert.match(place(), /prj_new/))
    assert.equal(new Set(keys).size, 4)
  })

  test('after an error an empty app description offers no “Try again”, because there is nothing to send', async () => {
    const { calls } = await renderProjects({
      [CREATE_PROJECT]: () => new Refusal(429, 'rate_limited', 'Slowly.'),
    })
    write(LABEL, 'Plants')
    pressEnter()
    await assertAlert(/Slowly/)
    const tries = calls[CREATE_PROJECT]?.length
    write(LABEL, '')
    assert.ok(screen.queryByRole('button', { name: 'Try again' }) === null)
    await untilSent()
    assert.equal(calls[CREATE_PROJECT]?.length, tries)
  })

  test('a user who opens another page while the project is being created stays on that page', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, place, go } = await renderProjects({ [CREATE_PROJECT]: () => promise })
    write(LABEL, 'Plants')
    pressEnter()
    await screen.findByText('Creating the project')
    await go('/activity')
    resolve({ id: 'prj_new', name: 'Plants' })
    await waitFor(() => assert.equal(calls[CAPTURE_TICKET]?.length, 1))
    await waitFor(() => assert.equal(openDraft('new-project').read(), ''))
    assert.equal(place(), '/activity')
  })

  test('an example app description fills the field without being sent, and the URL fragment #new focuses the field', async () => {
    const { calls } = await renderProjects({}, '/projects#new')
    assert.ok(document.activeElement === field(LABEL))
    press('Log my expenses')
    assert.equal(field(LABEL).value, 'Log my expenses: amount, category, date, paid')
    await untilSent()
    assert.deepEqual(calls[CREATE_PROJECT], [])
  })

  test('a stored draft of an app description is in the field again, and its markup is shown as text', async () => {
    openDraft('new-project').store('<img src=x onerror=alert(1)>')
    await renderProjects()
    assert.equal(field(LABEL).value, '<img src=x onerror=alert(1)>')
  })

  test('“Discard” beside a restored app description empties and focuses the field, and Undo restores the text', async () => {
    openDraft('new-project').store('A shop for plants')
    await renderProjects()
    assert.ok(await screen.findByText('Your unsent text is back.'))
    press('Discard')
    assert.deepEqual([field(LABEL).value, openDraft('new-project').read()], ['', ''])
    assert.ok(document.activeElement === field(LABEL))
    assert.ok(!isShown('Your unsent text is back.'))
    await findMessage('Unsent text discarded')
    press('Undo')
    await waitFor(() => assert.equal(field(LABEL).value, 'A shop for plants'))
  })
})
