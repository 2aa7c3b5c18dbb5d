import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
import {
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { Origin, Provenance } from './details-parts.tsx'
import { LabelField } from './label-field.tsx'
import { ParentField } from './parent-field.tsx'

let lastTicket = 0

/** Shows a field of a ticket and updates it when the ticket changes. Each test has a separate ticket. */
function showField(
  Field: (props: { projectId: string; ticket: Ticket }) => React.ReactNode,
  part: Partial<Ticket>,
  answers: Record<string, () => unknown> = {},
) {
  const id = `tkt_fields_${++lastTicket}`
  const path = `/projects/prj_1/tickets/${id}`
  let ticket = testTicket(id, part)
  const calls = serve({
    [`GET ${path}`]: () => ticket,
    [`PATCH ${path}`]: ({ body }) => (ticket = { ...ticket, ...(body as Partial<Ticket>) }),
    'GET /projects/prj_1/tickets/labels': () => [{ label: 'kitchen', count: 2 }],
    ...answers,
  })
  function Page() {
    const shown = useQuery(ticketQuery('prj_1', id)).data
    return shown ? <Field projectId="prj_1" ticket={shown} /> : null
  }
  show(<Page />)
  return { id, saved: () => sent(calls, `PATCH ${path}`) }
}
const labelLinks = () =>
  within(screen.getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent)

describe('the labels of a ticket', () => {
  test('a ticket without labels says so, and a dialog adds a new label', async () => {
    const { saved } = showField(LabelField, {})
    await screen.findByText('None')
    press('Add labels')
    await screen.findByRole('dialog', { name: 'Labels' })
    write('Find or write a label', 'garden')
    press('New label “garden”')
    await waitFor(() => assert.ok(isThere('checkbox', 'garden')))
    press('Save labels')
    await waitFor(() => assert.deepEqual(saved(), [{ labels: ['garden'] }]))
    await waitFor(() => assert.deepEqual(labelLinks(), ['garden']))
    assert.ok(!isThere('dialog'))
    assert.ok(isThere('button', 'Edit labels'))
  })

  test('each label of a ticket links to the tickets with that label, and the link keeps the current ticket open', async () => {
    const { id } = showField(LabelField, { labels: ['garden', 'a & b'] })
    const link = await screen.findByRole('link', { name: 'a & b' })
    const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', location.href)
    assert.equal(pathname, '/projects/prj_1')
    assert.deepEqual(Object.fromEntries(searchParams), {
      label: 'a & b',
      ticket: id,
      tab: 'ticket',
      pane: 'tickets',
    })
  })

  test('a ticket label that looks like markup is shown as text', async () => {
    const label = `<img src=x>${'x'.repeat(39)}`
    showField(LabelField, { labels: [label] })
    await screen.findByRole('link', { name: label })
    assert.ok(document.querySelector('img') === null)
  })

  test("closing the dialog for a ticket's labels without saving changes nothing", async () => {
    const { saved } = showField(LabelField, { labels: ['garden'] })
    await screen.findByRole('link', { name: 'garden' })
    press('Edit labels')
    await screen.findByRole('dialog', { name: 'Labels' })
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    await waitFor(() => assert.ok(!isThere('dialog')))
    await untilSent()
    assert.deepEqual(saved(), [])
  })
})

describe('the parent field in the ticket details', () => {
  const PARENT = 'GET /projects/prj_1/tickets/tkt_above'

  test('a ticket without a parent says that it has none', async () => {
    showField(ParentField, {})
    assert.ok(await screen.findByText('None'))
    assert.ok(!isThere('link'))
  })

  test("the link to a ticket's parent shows the id while the parent loads or cannot be read", async () => {
    const read = Promise.withResolvers<unknown>()
    showField(ParentField, { parent: 'tkt_above' }, { [PARENT]: () => read.promise })
    const link = await screen.findByRole('link', { name: 'tkt_above' })
    assert.match(link.getAttribute('href') ?? '', /^\/projects\/prj_1\?ticket=tkt_above&tab=ticket/)
    read.resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await untilSent()
    assert.ok(isThere('link', 'tkt_above'))
    assert.ok(!isThere('alert'))
  })

  test("the link to a ticket's parent shows its title once the parent is loaded", async () => {
    showField(
      ParentField,
      { parent: 'tkt_above' },
      { [PARENT]: () => testTicket('tkt_above', { title: 'Garden' }) },
    )
    const link = await screen.findByRole('link', { name: /Garden/ })
    assert.ok(within(link).getByText('Garden'))
  })
})

describe('the origin of a ticket', () => {
  const provenanceOf = (part: Partial<Ticket>) => {
    const { container, unmount } = show(<Provenance ticket={testTicket('tkt_1', part)} />)
    const words = container.textContent
    return { words, unmount }
  }

  test('the sentence from which a ticket was made is quoted as text with its line breaks', () => {
    const words = 'First line\n<b>second</b>'
    show(<Origin words={words} />)
    const quote = screen.getByRole('figure').querySelector('blockquote')
    assert.equal(quote?.textContent, words)
    assert.ok(document.querySelector('b') === null)
    assert.ok(isShown('In your words'))
  })

  test('a ticket names the system or agent that created it, but not a person', () => {
    for (const [source, words] of [
      ['ingest', /^Sent by another system/],
      ['agent', /^Written by the planning agent/],
      ['human', /^Created/],
    ] as const) {
      const { words: shown, unmount } = provenanceOf({ source })
      assert.match(shown ?? '', words)
      unmount()
    }
  })

  test('a ticket shows the time of its last change only if it was changed after its creation', () => {
    const unchanged = provenanceOf({})
    assert.doesNotMatch(unchanged.words ?? '', /changed/)
    unchanged.unmount()
    assert.match(provenanceOf({ updatedAt: '2026-01-02T00:00:00Z' }).words ?? '', /^Created .+, changed /)
  })

  test("the link to a ticket's original names its host, and the opened page has no access to the console", () => {
    provenanceOf({ url: 'HTTPS://forum.test/7?from=a' })
    const link = screen.getByRole('link', { name: /^Open the original.*forum\.test/ })
    assert.equal(link.getAttribute('rel'), 'noopener noreferrer')
    assert.equal(link.getAttribute('target'), '_blank')
  })

  test("the address of a ticket's original that is not a web address is shown as text and not as a link", () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', ' https://forum.test', 'mail-4711']) {
      const { unmount } = provenanceOf({ url })
      assert.ok(!isThere('link'), url)
      assert.ok(document.body.textContent?.includes(url.trim()), url)
      unmount()
    }
  })
})
