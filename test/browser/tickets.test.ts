import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import type { ServiceProcess } from '../support/service.ts'
import { assertBecomes, assertSoundPage, holdRequests } from './browser.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

interface Ticket {
  id: string
  status: string
  title: string
}

describe('tickets in the browser', () => {
  let world: BrowserWorld
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1440, height: 850 } } })
  })
  after(() => world?.close())

  const callApi = <T>(route: string, body?: object) => world.person.call<T>(route, body)
  /** Creates a project with tickets. Returns its id, and the ids of the tickets by title. */
  const projectWith = async (tickets: object[]) => {
    const project = await callApi<{ id: string }>('POST /projects', { name: 'Harbour' })
    const ids = new Map<string, string>()
    for (const ticket of tickets) {
      const made = await callApi<Ticket>(`POST /projects/${project.id}/tickets`, ticket)
      ids.set(made.title, made.id)
    }
    return { projectId: project.id, idOf: (title: string) => ids.get(title) ?? '' }
  }
  const ticketOf = (projectId: string, id: string) =>
    callApi<Ticket>(`GET /projects/${projectId}/tickets/${id}`)
  const openProjectView = (
    projectId: string,
    search: Parameters<typeof href.project>[1],
    page = world.page,
  ) => page.goto(world.url + href.project(projectId, search))

  test("a ticket's card is moved by keyboard, the move is announced, and undo reverts it", async () => {
    const { page } = world
    const { projectId, idOf } = await projectWith([
      { title: 'Old one', status: 'in_review' },
      { title: 'Paint the hull' },
      { title: 'Newer one', status: 'in_review' },
    ])
    await openProjectView(projectId, { view: 'board' })
    await findColumn(page, 'In review').getByRole('button', { name: 'Newer one', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Paint the hull', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await assertFocused(page.getByRole('button', { name: 'Newer one', exact: true }))
    await page.keyboard.press('ArrowLeft')
    await assertFocused(page.getByRole('button', { name: 'Paint the hull', exact: true }))
    await page.keyboard.press('s')
    await assertInMenu(page)
    await page.keyboard.press('i')
    await assertFocused(page.getByRole('menuitemradio', { name: 'In progress' }))
    await page.keyboard.press('ArrowDown')
    await assertFocused(page.getByRole('menuitemradio', { name: 'In review' }))
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Moved to In review, 2 of 3').waitFor({ state: 'attached' })
    const moved = findColumn(page, 'In review').getByRole('button', { name: 'Paint the hull', exact: true })
    await assertFocused(moved)
    await findToast(page, 'Ticket moved to In review').waitFor()
    assert.equal((await ticketOf(projectId, idOf('Paint the hull'))).status, 'in_review')
    await page.keyboard.press('z')
    await findColumn(page, 'To do').getByRole('button', { name: 'Paint the hull', exact: true }).waitFor()
    await findToast(page, /^Undone/).waitFor()
    assert.equal((await ticketOf(projectId, idOf('Paint the hull'))).status, 'todo')
    world.assertQuiet()
  })

  test("a ticket's card is dragged to another status together with all selected cards", async () => {
    const { page } = world
    const { projectId, idOf } = await projectWith([{ title: 'One' }, { title: 'Two' }, { title: 'Three' }])
    await openProjectView(projectId, { view: 'board' })
    await page.getByRole('checkbox', { name: 'Select “One”' }).check()
    await page.getByRole('checkbox', { name: 'Select “Three”' }).check()
    await page.getByRole('article').filter({ hasText: 'Three' }).hover()
    await page.mouse.down()
    // A busy browser may start the drag late, so drop the card only once the column accepts it.
    await assertBecomes(async () => {
      await findColumn(page, 'Done').hover({ position: { x: 90, y: 300 } })
      await findColumn(page, 'Done').hover({ position: { x: 95, y: 310 } })
      return findColumn(page, 'Done').getAttribute('data-over')
    }, 'true')
    await page.mouse.up()
    await findColumn(page, 'Done').getByRole('button', { name: 'One', exact: true }).waitFor()
    await findColumn(page, 'Done').getByRole('button', { name: 'Three', exact: true }).waitFor()
    await findColumn(page, 'To do').getByRole('button', { name: 'Two', exact: true }).waitFor()
    await findToast(page, '2 tickets moved to Done').waitFor()
    const statuses = await Promise.all(
      ['One', 'Two', 'Three'].map((title) => ticketOf(projectId, idOf(title))),
    )
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['done', 'todo', 'done'],
    )
    world.assertQuiet()
  })

  test('a refused change of a ticket is reverted, and the reason is shown at the ticket', async () => {
    const { page } = world
    const { projectId, idOf } = await projectWith([{ title: 'Below' }, { title: 'Above', type: 'epic' }])
    await callApi(`PATCH /projects/${projectId}/tickets/${idOf('Below')}`, { parent: idOf('Above') })
    await openProjectView(projectId, { view: 'tree' })
    await page.getByRole('button', { name: 'Above', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('row', { level: 2 }).getByRole('button', { name: 'Below', exact: true }).waitFor()
    await page.getByText('0 of 1 done below').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Move below another ticket: Above' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Below' }).click()
    const row = page.getByRole('row', { level: 1 }).filter({ hasText: 'Above' })
    await row.getByRole('alert').getByText('Must not be the ticket itself or one below it').waitFor()
    await page.getByRole('row', { level: 2 }).getByRole('button', { name: 'Below', exact: true }).waitFor()
    world.assertQuiet(/400/)

    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.route('**/api/v1/**/tickets/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill(BROKEN) : route.fallback(),
    )
    await page.getByRole('button', { name: 'Status of “Below”: To do' }).click()
    await page.getByRole('menuitemradio', { name: 'Done' }).click()
    await page.getByRole('row', { name: 'Select “Below”' }).getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Status of “Below”: To do' }).waitFor()
    await page.unrouteAll()
    world.assertQuiet(/500/)
  })

  test('of 3,000 tickets only those in view are rendered, and each can be reached by scrolling or searching', async () => {
    const { page } = world
    const { projectId } = await projectWith([])
    await seedTickets(world.service, projectId, 3000)
    await openProjectView(projectId, {})
    const rows = page.getByRole('table', { name: 'Tickets' }).getByRole('row')
    await page.getByRole('button', { name: 'Ticket 3000', exact: true }).waitFor()
    // Wait for the row count, which comes from a polled request.
    await page.locator('[role=table][aria-label=Tickets][aria-rowcount="3001"]').waitFor()
    await page.getByRole('table', { name: 'Tickets' }).hover()
    const last = page.getByRole('button', { name: 'Ticket 1', exact: true })
    await assertBecomes(async () => {
      await page.mouse.wheel(0, 100_000)
      const inPage = await rows.count()
      assert.ok(inPage < 60, `${inPage} rows in the page`)
      return last.isVisible()
    }, true)
    await page.getByRole('searchbox', { name: 'Search tickets' }).fill('Ticket 1234')
    await page.getByRole('button', { name: 'Ticket 1234', exact: true }).waitFor()
    await page.waitForURL(/q=Ticket\+1234/)
    world.assertQuiet()
  })

  test('every property of a ticket can be changed by keyboard alone', async () => {
    const { page } = world
    const press = page.keyboard
    const { projectId } = await projectWith([{ title: 'First' }, { title: 'Second' }, { title: 'Third' }])
    await openProjectView(projectId, {})
    await page.getByRole('button', { name: 'Third', exact: true }).waitFor()
    await press.press('c')
    await press.type('Add a search field to the list of boats')
    await press.press('Enter')
    await page
      .getByRole('table', { name: 'Tickets' })
      .getByText(/search field/i)
      .first()
      .waitFor()
    await page.getByRole('heading', { level: 1 }).focus()
    await press.press('/')
    await press.type('second')
    await page.getByRole('button', { name: 'Third', exact: true }).waitFor({ state: 'detached' })
    await press.press('Escape')
    await page.getByRole('button', { name: 'Third', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Third', exact: true }).focus()
    await press.press('ArrowDown')
    await assertFocused(page.getByRole('button', { name: 'Second', exact: true }))
    await press.press('k')
    await assertFocused(page.getByRole('button', { name: 'Third', exact: true }))
    await press.press('x')
    await press.press('j')
    await assertFocused(page.getByRole('button', { name: 'Second', exact: true }))
    await press.press('Shift+X')
    await page.getByRole('region', { name: 'Selected tickets' }).getByText('2 selected').waitFor()
    await press.press('l')
    await page.getByRole('dialog').getByLabel('Find or write a label').fill('boats')
    await press.press('Enter')
    await page.getByRole('checkbox', { name: 'boats' }).waitFor()
    await assertSoundPage(page, 'labels of two tickets')
    await press.press('Enter')
    await findToast(page, 'Labels of 2 tickets changed').waitFor()
    await press.press('p')
    await assertInMenu(page)
    await press.press('End')
    await assertFocused(page.getByRole('menuitemradio', { name: 'Urgent' }))
    await press.press('Enter')
    await findToast(page, '2 tickets set to Urgent').waitFor()
    await press.press('Escape')
    await page.getByRole('region', { name: 'Selected tickets' }).waitFor({ state: 'detached' })
    const preview = page.getByRole('region', { name: 'Preview', exact: true })
    await press.press(']')
    await preview.waitFor({ state: 'hidden' })
    await press.press(']')
    await preview.waitFor()
    await press.press('e')
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.waitFor()
    await press.type(' of all')
    await page.reload()
    assert.equal(await title.inputValue(), 'Second of all')
    await title.press('Enter')
    await page.getByRole('button', { name: 'Second of all', exact: true }).waitFor()
    await findToast(page, 'Title changed').waitFor()
    const { items } = await callApi<{ items: { title: string; priority: string; labels: string[] }[] }>(
      `GET /projects/${projectId}/tickets/search?label=boats`,
    )
    assert.deepEqual(
      items.map((ticket) => [ticket.title, ticket.priority]),
      [
        ['Third', 'urgent'],
        ['Second of all', 'urgent'],
      ],
    )
    world.assertQuiet()
  })

  test('two changes of the view in the URL before the next render are both applied', async () => {
    const { page } = world
    const { projectId, idOf } = await projectWith([{ title: 'First' }, { title: 'Second' }])
    await openProjectView(projectId, {})
    await page.getByRole('button', { name: 'First', exact: true }).waitFor()
    await page
      .locator(`button[aria-label=Tree], button[data-ticket=${idOf('First')}]`)
      .evaluateAll((buttons) => buttons.forEach((button) => button.click()))
    const wanted = { view: 'tree', ticket: idOf('First') }
    await page.waitForURL(({ searchParams }) =>
      Object.entries(wanted).every(([name, value]) => searchParams.get(name) === value),
    )
    await page.getByRole('row', { level: 1 }).getByRole('button', { name: 'First', exact: true }).waitFor()
    world.assertQuiet()
  })

  test('a user who leaves the page while a ticket is created from a sentence stays on the next page', async () => {
    const { page } = world
    const { projectId } = await projectWith([{ title: 'First' }])
    const letGo = await holdRequests(page, '**/tickets/capture')
    await openProjectView(projectId, {})
    await page.getByLabel('Describe a change').fill('Add a search field to the list of boats')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    const answer = page.waitForResponse(/tickets\/capture$/)
    letGo()
    await (await answer).finished()
    // Going back leads to the workspace, so the current page is in the history only once.
    await page.goBack()
    await page
      .getByRole('table', { name: 'Tickets' })
      .getByText(/search field/i)
      .first()
      .waitFor()
    await page.unrouteAll()
    world.assertQuiet()
  })

  test('tickets of other members appear when the tab gets the focus again', async () => {
    const { page } = world
    const { projectId } = await projectWith([{ title: 'Mine' }])
    // The page detects changes by comparing counts, so wait until the page has the first counts.
    await Promise.all([page.waitForResponse(/\/tickets\/stats/), openProjectView(projectId, {})])
    await page.getByRole('button', { name: 'Mine', exact: true }).waitFor()
    await callApi(`POST /projects/${projectId}/tickets`, { title: 'Theirs', status: 'backlog' })
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await page.getByRole('button', { name: 'Theirs', exact: true }).waitFor()
    world.assertQuiet()
  })

  test('rows of the ticket list adapt their height when the pane becomes narrower and wider', async () => {
    const { page, context, assertQuiet } = await world.open('Ada')
    // Titles of many lengths, so that some wrap at each width.
    const titles = Array.from(
      { length: 60 },
      (_, n) => `Number ${n} ${'has a title of many words '.repeat(3).slice(0, 10 + (n % 60))}`,
    )
    const { projectId } = await projectWith(titles.map((title) => ({ title })))
    await openProjectView(projectId, undefined, page)
    const rows = page.getByRole('table', { name: 'Tickets' }).getByRole('row')
    await rows.filter({ hasText: 'Number 59' }).waitFor()
    const countOverlaps = () =>
      rows.evaluateAll((all) => {
        const boxes = all
          .map((row) => row.getBoundingClientRect())
          .toSorted((one, other) => one.top - other.top)
        return boxes.filter((box, n) => n > 0 && box.top < (boxes[n - 1]?.bottom ?? 0) - 1).length
      })
    for (const width of [1000, 1440, 1100, 1900, 1000]) {
      await page.setViewportSize({ width, height: 850 })
      await assertBecomes(countOverlaps, 0)
    }
    const handle = page.getByRole('separator', { name: 'Resize tickets and work' })
    const box = await handle.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x, box.y + 200)
    await page.mouse.down()
    for (const by of [30, 90, 200, 300, 200, 90, 0, -40, 60]) {
      await page.mouse.move(box.x + by, box.y + 200)
      await assertBecomes(countOverlaps, 0)
    }
    await page.mouse.up()
    await page.setViewportSize({ width: 1440, height: 850 })
    await rows
      .filter({ hasText: 'Number 55' })
      .getByRole('button', { name: /^Number 55/ })
      .click()
    for (let time = 0; time < 3; time++) {
      await page
        .getByRole('button', { name: /the navigation$/ })
        .first()
        .click()
      await assertBecomes(countOverlaps, 0)
    }
    assertQuiet()
    await context.close()
  })

  test('on a phone the ticket board shows one column with a picker, and a ticket is moved by its menu', async () => {
    const phone = await world.open('Ada', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = phone
    const { projectId } = await projectWith([{ title: 'Scrape the keel' }, { title: 'Old', status: 'done' }])
    await openProjectView(projectId, { view: 'board', pane: 'tickets' }, page)
    await page.getByRole('button', { name: 'Status of “Scrape the keel”: To do' }).tap()
    await page.getByRole('menuitemradio', { name: 'In progress' }).waitFor()
    await assertSoundPage(page, 'status menu at 390 px')
    await page.getByRole('menuitemradio', { name: 'In progress' }).tap()
    await page.getByRole('button', { name: 'Scrape the keel', exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('Column').selectOption('in_progress')
    await page.getByRole('button', { name: 'Scrape the keel', exact: true }).waitFor()
    await assertSoundPage(page, 'board at 390 px')
    await page.getByRole('button', { name: 'Scrape the keel', exact: true }).tap()
    await page.getByRole('tab', { name: 'Ticket', selected: true }).waitFor()
    await page.getByLabel('Due').fill('2020-01-31')
    await page.getByLabel('Due').blur()
    await page.getByText('Overdue', { exact: true }).waitFor()
    await assertSoundPage(page, 'ticket at 390 px')
    phone.assertQuiet()
  })
})

const BROKEN = {
  status: 500,
  contentType: 'application/json',
  body: JSON.stringify({ ok: false, error: { code: 'server_error', message: 'Something failed.' } }),
}

const findToast = (page: Page, words: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByRole('paragraph').getByText(words)

const findColumn = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Waits for the focus, which arrives a frame or two after the key. */
async function assertFocused(button: Locator): Promise<void> {
  const focused = button.and(button.page().locator(':focus'))
  await focused.waitFor()
}

/** Waits until the menu has the focus, because it handles keys only then. */
async function assertInMenu(page: Page): Promise<void> {
  await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor()
}

/** Inserts tickets with one statement, because thousands of requests would take too long. */
async function seedTickets(service: ServiceProcess, projectId: string, count: number): Promise<void> {
  await service.query(
    `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, created_at,
       updated_at, search_fold)
     select 'tkt_' || lpad(n::text, 26, '0'), p.org_id, p.id, 'Ticket ' || n, '', 'todo', 'task', 'none', '{}',
       'human', now() + make_interval(secs => n), now(), 'ticket ' || n
     from projects p, generate_series(1, $2::int) n where p.id = $1`,
    [projectId, count],
  )
}
