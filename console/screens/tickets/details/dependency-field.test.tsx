import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { button, isThere, press, Refusal, serve, show } from '../../../testing/console.tsx'
import { DependencyField } from './dependency-field.tsx'

const TICKETS_PATH = '/projects/prj_1/tickets'
const ticketWith = (id: string, part: Partial<Ticket> = {}) =>
  ({ id, title: `Title ${id}`, status: 'todo', type: 'task', dependsOn: [], ...part }) as Ticket

function renderDependencyField(dependsOn: string[], answers: Record<string, () => unknown> = {}) {
  const changes: string[][] = []
  serve({
    [`GET ${TICKETS_PATH}/a`]: () => ticketWith('a', { status: 'done' }),
    [`GET ${TICKETS_PATH}/search`]: () => ({
      items: [ticketWith('me'), ticketWith('a'), ticketWith('b'), ticketWith('epic', { type: 'epic' })],
      nextCursor: null,
    }),
    ...answers,
  })
  show(
    <DependencyField
      projectId="prj_1"
      ticket={ticketWith('me', { dependsOn })}
      onChange={(ids) => changes.push(ids)}
    />,
  )
  return changes
}

describe('the dependencies of a ticket', () => {
  test('each dependency of a ticket is a link with its title and can be removed, even if that ticket no longer exists', async () => {
    const changes = renderDependencyField(['a', 'gone'])
    const link = await screen.findByRole('link', { name: 'Title a' })
    assert.match(link.getAttribute('href') ?? '', /ticket=a/)
    press('No longer depend on “Title a”')
    await screen.findByRole('link', { name: 'A ticket that is gone' })
    press('No longer depend on “A ticket that is gone”')
    assert.deepEqual(changes, [['gone'], ['a']])
  })

  test("the search for a ticket's dependency excludes epics, the ticket itself and its existing dependencies", async () => {
    const changes = renderDependencyField(['a'])
    press('Add a dependency')
    const offered = await screen.findByRole('button', { name: 'Title b' })
    for (const name of ['Title me', 'Title a', 'Title epic'])
      assert.ok(screen.queryByRole('button', { name }) === null)
    fireEvent.click(offered)
    assert.deepEqual(changes, [['a', 'b']])
    assert.ok(button('Add a dependency'))
  })

  test('the dependency field of a ticket without dependencies says that the queue builds the ticket when its turn comes', () => {
    renderDependencyField([])
    assert.ok(screen.getByText('None. The queue builds it in its turn.'))
  })

  test("a ticket's dependency that cannot be loaded is shown with its id, and is not marked as deleted", async () => {
    renderDependencyField(['a', 'gone'], {
      [`GET ${TICKETS_PATH}/a`]: () => new Refusal(403, 'forbidden', 'Not now.'),
    })
    await screen.findByRole('link', { name: 'A ticket that is gone' })
    assert.ok(isThere('link', 'a'))
  })

  test('removing a dependency moves the focus to the button that adds a dependency', async () => {
    renderDependencyField(['a'])
    await screen.findByRole('link', { name: 'Title a' })
    const remove = button('No longer depend on “Title a”')
    act(() => remove.focus())
    fireEvent.click(remove)
    assert.ok(document.activeElement === button('Add a dependency'))
  })
})
