import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { pressInDialog } from '../../../testing/dialog.ts'
import { Ingest } from './ingest.tsx'

const LIST_SOURCES = 'GET /ingest'
const CREATE_SOURCE = 'POST /ingest'
const REMOVE_SOURCE = 'DELETE /ingest/src_1'
const LIST_PROJECTS = 'GET /projects'
const SEND_IDEA = 'POST /i/src_1'
const source = {
  id: 'src_1',
  projectId: 'prj_1',
  webhookUrl: 'https://ideas.test/i/src_1',
  createdAt: '2026-01-01T00:00:00Z',
}
const plants = { id: 'prj_1', name: 'Plants' }
const books = { id: 'prj_2', name: 'Books' }

async function renderIngest(sources: object[], answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [LIST_SOURCES]: () => sources,
    [CREATE_SOURCE]: () => ({ ...source, secret: 'whsec_once' }),
    [LIST_PROJECTS]: () => ({ items: [plants, books], nextCursor: null }),
    [SEND_IDEA]: () => null,
    ...answers,
  })
  await showAt('/app/settings/ingest', Ingest, '/settings/ingest')
  await screen.findByText('What an idea may hold')
  return calls
}

async function openForm(answers: Record<string, () => unknown> = {}) {
  const calls = await renderIngest([], answers)
  press('Add source')
  const dialog = await screen.findByRole('dialog', { name: 'Add an ingest source' })
  return { calls, send: () => fireEvent.submit(dialog.querySelector('form') as HTMLFormElement) }
}

describe('the ingest sources', () => {
  test('without ingest sources, their page explains that ideas sent to the address of a source become tickets of a project', async () => {
    await renderIngest([])
    assert.ok(isThere('heading', 'No ingest sources yet'))
    assert.ok(isShown(/becomes a ticket of one project/))
  })

  test('an ingest source shows its project and offers its webhook URL to copy', async () => {
    await renderIngest([source])
    const link = await screen.findByRole('link', { name: 'Plants' })
    assert.match(link.getAttribute('href') ?? '', /prj_1/)
    assert.ok(isShown(source.webhookUrl))
    assert.ok(button('Copy the address for Plants'))
  })

  test('an ingest source shows the name of its project, even when the first page of projects lacks that project', async () => {
    const calls = await renderIngest([{ ...source, projectId: 'prj_9' }], {
      'GET /projects/prj_9': () => ({ id: 'prj_9', name: 'An old one' }),
    })
    assert.ok(await screen.findByRole('link', { name: 'An old one' }))
    assert.equal(calls['GET /projects/prj_9']?.length, 1)
  })

  test('removing an ingest source asks for confirmation and says that the address of the source stops working', async () => {
    const sources = [source]
    const calls = await renderIngest(sources, { [REMOVE_SOURCE]: () => sources.pop() && null })
    await screen.findByRole('link', { name: 'Plants' })
    press('Remove the source of Plants')
    const dialog = await screen.findByRole('dialog', { name: 'Remove this source of Plants?' })
    assert.match(dialog.textContent ?? '', /returns 404/)
    await untilSent()
    assert.deepEqual(calls[REMOVE_SOURCE], [])
    press('Remove source')
    assert.ok(await screen.findByRole('heading', { name: 'No ingest sources yet' }))
  })

  test('a refused removal of an ingest source shows the request id and keeps the source', async () => {
    await renderIngest([source], { [REMOVE_SOURCE]: () => new Refusal(403, 'forbidden', 'You may not.') })
    await screen.findByRole('link', { name: 'Plants' })
    press('Remove the source of Plants')
    await screen.findByRole('dialog')
    press('Remove source')
    await assertAlert(/You may not.*req_test/)
    assert.ok(isShown(source.webhookUrl))
  })
})

describe('a new ingest source', () => {
  test('an ingest source is created for the chosen project, and its secret is shown as environment variables', async () => {
    const { calls, send } = await openForm()
    await screen.findByRole('option', { name: 'Books' })
    write('Tickets go to', 'prj_2')
    send()
    await screen.findByText('whsec_once')
    assert.deepEqual(sent(calls, CREATE_SOURCE)?.[0], { projectId: 'prj_2' })
    const variables = screen.getByRole('region', { name: 'As environment variables' }).textContent
    assert.match(variables, /SLIPWAY_IDEAS_URL=https:\/\/ideas\.test\/i\/src_1/)
    assert.match(variables, /SLIPWAY_IDEAS_SECRET=whsec_once/)
    press('I have saved it')
    await waitFor(() => assert.ok(!isThere('dialog')))
  })

  test('the secret of an ingest source is shown even when Escape or Cancel was pressed while the source was created', async () => {
    const held = Promise.withResolvers<unknown>()
    const { calls, send } = await openForm({ [CREATE_SOURCE]: () => held.promise })
    await screen.findByRole('option', { name: 'Books' })
    send()
    await waitFor(() => assert.equal(calls[CREATE_SOURCE]?.length, 1))
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    pressInDialog('Cancel')
    held.resolve({ ...source, secret: 'whsec_once' })
    await screen.findByText('whsec_once')
  })

  test('without a chosen project no ingest source can be created, and the form asks to choose one', async () => {
    const { calls, send } = await openForm({ [LIST_PROJECTS]: () => ({ items: [], nextCursor: null }) })
    await screen.findByRole('option', { name: 'No project' })
    send()
    await assertAlert(/Choose the project that gets the tickets/)
    await untilSent()
    assert.deepEqual(calls[CREATE_SOURCE], [])
  })

  test('a refused ingest source shows a focused alert with the request id, and the chosen project stays chosen', async () => {
    const { send } = await openForm({ [CREATE_SOURCE]: () => new Refusal(409, 'conflict', 'At most 100.') })
    await screen.findByRole('option', { name: 'Books' })
    write('Tickets go to', 'prj_2')
    send()
    await assertAlert(/not added.*At most 100.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    assert.equal(field('Tickets go to').value, 'prj_2')
  })

  test('when the projects for a new ingest source cannot be loaded, an alert offers a retry', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.')]
    await openForm({ [LIST_PROJECTS]: () => answers.shift() ?? { items: [plants], nextCursor: null } })
    await assertAlert(/You may not/)
    press('Try again')
    assert.ok(await screen.findByRole('option', { name: 'Plants' }))
  })

  test('the project field of a new ingest source can be searched when there are many, and the chosen project stays chosen', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const pages = [{ items: [plants, books], nextCursor: 'more' }]
    await openForm({ [LIST_PROJECTS]: () => pages.shift() ?? promise })
    await screen.findByRole('option', { name: 'Books' })
    write('Tickets go to', 'prj_2')
    write('Search projects', 'zoo')
    resolve({ items: [{ id: 'prj_3', name: 'Zoo' }], nextCursor: null })
    assert.ok(await screen.findByRole('option', { name: 'Zoo' }))
    assert.equal(field('Tickets go to').value, 'prj_2')
  })
})

describe('a test idea', () => {
  const openIdea = async (answer: () => unknown) => {
    const { calls, send } = await openForm({ [SEND_IDEA]: answer })
    await screen.findByRole('option', { name: 'Plants' })
    send()
    await screen.findByText('whsec_once')
    return calls
  }

  test('a test idea is posted to the URL of the new ingest source, and the link to its project opens in a new tab', async () => {
    const calls = await openIdea(() => null)
    write('Idea', ' A dark theme ')
    press('Post idea')
    const link = await screen.findByRole('link', { name: 'See it in the project' })
    assert.equal(link.getAttribute('target'), '_blank')
    assert.deepEqual(sent(calls, SEND_IDEA)?.[0], { text: 'A dark theme' })
  })

  test('an empty test idea for an ingest source is not posted', async () => {
    const calls = await openIdea(() => null)
    write('Idea', '  ')
    press('Post idea')
    await untilSent()
    assert.deepEqual(calls[SEND_IDEA], [])
  })

  test('a refused test idea for an ingest source shows the reason and stays in its field', async () => {
    await openIdea(() => new Refusal(401, 'invalid_signature', 'The signature is wrong.'))
    write('Idea', 'A dark theme')
    press('Post idea')
    await assertAlert(/not accepted.*signature is wrong/)
    assert.equal(field('Idea').value, 'A dark theme')
  })
})
