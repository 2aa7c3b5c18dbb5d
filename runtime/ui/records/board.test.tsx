import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ComponentType } from 'react'
import {
  act,
  fireEvent,
  isShown,
  newTeam,
  pageOf,
  press,
  receive,
  record,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
  within,
  write,
} from '../../testing/kit.test.fixture.tsx'
import type { StoredRecord } from '../../data/frames.ts'
import { manifest } from '../../manifest.gen.ts'
import { Board } from './board.tsx'

manifest.collections['chores'] = {
  title: 'Chores',
  partition: 'team',
  read: 'team',
  write: 'team',
  fields: {
    title: { type: 'text', required: true },
    state: { type: 'enum', values: ['to_do', 'done'] },
    room: { type: 'text' },
  },
}

const LIST = 'GET /_app/data/chores'
const SWEEP = record('sweep', { title: 'Sweep', state: 'to_do', room: 'Hall' })
const AnyBoard = Board as unknown as ComponentType<Record<string, unknown>>

async function renderBoard(
  onMove: (row: StoredRecord, value: string) => unknown,
  items = [SWEEP, record('wash', { title: 'Wash', state: 'done', room: null })],
) {
  serveApp({ [LIST]: () => pageOf(items) })
  render(<AnyBoard collection="chores" field="state" partition={newTeam()} onMove={onMove} />)
  await waitFor(() => assert.ok(screen.getByRole('group', { name: 'Chores' })))
}
const cardsIn = (column: string) =>
  within(screen.getByRole('region', { name: column }))
    .queryAllByRole('listitem')
    .map((card) => card.querySelector('.board-name')?.textContent)
/** Makes the page return these elements for every point, because a page has no layout in a test. */
const placeElements = (...elements: Element[]) =>
  Object.assign(document, { elementsFromPoint: () => elements })
const cardOf = (name: string) =>
  screen.getByText(name).closest('li') ?? assert.fail(`there is no card ${name}`)
const moveButton = (name: string) => screen.getByRole('button', { name: `Move ${name}` })

describe('a board of records', () => {
  after(() => Reflect.deleteProperty(document, 'elementsFromPoint'))

  test("a board has a column for each value of an enum field, and its cards show the record's name and another field", async () => {
    await renderBoard(() => {})
    assert.deepEqual(cardsIn('To do'), ['Sweep'])
    assert.deepEqual(cardsIn('Done'), ['Wash'])
    assert.ok(isShown('Hall'))
    assert.ok(screen.queryByRole('region', { name: 'Not set' }) === null)
  })

  test('the board shows records without a value in a separate column', async () => {
    await renderBoard(() => {}, [record('x', { title: 'Dust', state: null, room: null })])
    assert.deepEqual(cardsIn('Not set'), ['Dust'])
  })

  test('arrow keys move a card of the board to another column, announce the move and keep the focus', async () => {
    const moves: unknown[] = []
    await renderBoard((row, value) => moves.push([row.id, value]))
    moveButton('Sweep').focus()
    fireEvent.keyDown(moveButton('Sweep'), { key: 'ArrowRight' })
    await waitFor(() => assert.deepEqual(cardsIn('Done').toSorted(), ['Sweep', 'Wash']))
    assert.deepEqual(moves, [['sweep', 'done']])
    assert.ok(isShown('Sweep moved to Done'))
    assert.ok(document.activeElement === moveButton('Sweep'))
    fireEvent.keyDown(moveButton('Sweep'), { key: 'ArrowRight' })
    assert.equal(moves.length, 1, 'there is no column further right')
  })

  test('the menu of a board card moves it to another column, and offers only the other columns', async () => {
    const moves: unknown[] = []
    await renderBoard((row, value) => moves.push([row.id, value]))
    press('Move Sweep')
    assert.equal(moveButton('Sweep').getAttribute('aria-expanded'), 'true')
    assert.ok(screen.queryByRole('button', { name: 'To do' }) === null)
    press('Done')
    await waitFor(() => assert.deepEqual(moves, [['sweep', 'done']]))
    assert.equal(moveButton('Sweep').getAttribute('aria-expanded'), 'false')
  })

  test('a moved board card is shown in its new column at once, and a rejected move puts the card back and shows the reason', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    await renderBoard(() => promise)
    fireEvent.keyDown(moveButton('Sweep'), { key: 'ArrowRight' })
    assert.deepEqual(cardsIn('To do'), [])
    await act(async () => reject(new Error('Only staff may finish chores.')))
    assert.deepEqual(cardsIn('To do'), ['Sweep'])
    assert.match(screen.getByRole('alert').textContent ?? '', /Only staff may finish/)
    assert.equal(isShown('Sweep moved to Done'), false)
  })

  test('a board card that another person moves appears in its new column', async () => {
    await renderBoard(() => {})
    const moved = { ...SWEEP, state: 'done', rev: 2 }
    await receive({
      type: 'ops',
      ops: [{ seq: 6, op: 'put', collection: 'chores', id: 'sweep', record: moved }],
    })
    assert.deepEqual(cardsIn('To do'), [])
  })

  test('searching a board shows only the matching cards and their number', async () => {
    await renderBoard(() => {})
    write('Search chores', 'hall')
    assert.deepEqual(cardsIn('Done'), [])
    assert.deepEqual(cardsIn('To do'), ['Sweep'])
    assert.ok(isShown('1 of 2'))
  })

  test('a board announces a failed read, and an empty board says that there are no records', async () => {
    serveApp({ [LIST]: () => new RefusedResponse('forbidden', 'This is for the team.') })
    const { unmount } = render(
      <AnyBoard collection="chores" field="state" partition={newTeam()} onMove={() => {}} />,
    )
    await waitFor(() => assert.match(screen.getByRole('alert').textContent ?? '', /for the team/))
    unmount()
    serveApp({ [LIST]: () => pageOf([]) })
    render(<AnyBoard collection="chores" field="state" partition={newTeam()} onMove={() => {}} />)
    await waitFor(() => assert.ok(isShown('No chores yet')))
  })

  test('a moved card stays in its new column when another card is moved before the record of the first is updated', async () => {
    const beds = record('beds', { title: 'Beds', state: 'to_do', room: null })
    await renderBoard(() => new Promise(() => {}), [SWEEP, beds])
    fireEvent.keyDown(moveButton('Sweep'), { key: 'ArrowRight' })
    fireEvent.keyDown(moveButton('Beds'), { key: 'ArrowRight' })
    assert.deepEqual([cardsIn('To do'), cardsIn('Done').toSorted()], [[], ['Beds', 'Sweep']])
  })

  test('an earlier move that is rejected does not undo a later move of the same card, and the reason is shown', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const moves: string[] = []
    await renderBoard(
      (_row, value) => (moves.push(value) === 1 ? promise : new Promise(() => {})),
      [record('x', { title: 'Dust', state: null, room: null })],
    )
    press('Move Dust')
    press('To do')
    fireEvent.keyDown(moveButton('Dust'), { key: 'ArrowRight' })
    await act(async () => reject(new Error('The first move failed.')))
    assert.deepEqual([moves, cardsIn('Done')], [['to_do', 'done'], ['Dust']])
    assert.ok(isShown('Dust moved to Done'))
    assert.match(screen.getByRole('alert').textContent ?? '', /The first move failed/)
  })

  test('text typed in the edit dialog of a card stays when another person removes the last card of the board', async () => {
    serveApp({ [LIST]: () => pageOf([SWEEP]) })
    const nothing = () => {}
    render(
      <AnyBoard collection="chores" field="state" partition={newTeam()} onMove={nothing} onEdit={nothing} />,
    )
    await waitFor(() => assert.deepEqual(cardsIn('To do'), ['Sweep']))
    press('Edit Sweep')
    write('Title', 'Sweep the stairs')
    await receive({ type: 'ops', ops: [{ seq: 6, op: 'remove', collection: 'chores', id: 'sweep' }] })
    assert.ok(isShown('No chores yet'))
    assert.equal(screen.getByLabelText<HTMLInputElement>('Title').value, 'Sweep the stairs')
  })

  test('a board that shows only a part of the records says how many it shows, and loads further ones on request', async () => {
    const wash = record('wash', { title: 'Wash', state: 'done', room: null })
    serveApp({
      [LIST]: ({ query }: { query: { cursor?: string } }) =>
        query.cursor === 'c2' ? pageOf([wash]) : pageOf([SWEEP], 'c2'),
    })
    render(<AnyBoard collection="chores" field="state" partition={newTeam()} onMove={() => {}} />)
    await waitFor(() => assert.ok(isShown('The newest 1')))
    write('Search chores', 'wash')
    assert.ok(isShown('0 of the newest 1'))
    write('Search chores', '')
    press('Show more')
    await waitFor(() => assert.deepEqual(cardsIn('Done'), ['Wash']))
    assert.ok(screen.queryByRole('button', { name: 'Show more' }) === null)
    assert.equal(isShown('The newest 2'), false)
  })

  test('a card that was dragged with the pointer moves to the column where it was released', async () => {
    const moves: unknown[] = []
    await renderBoard((row, value) => moves.push([row.id, value]))
    const card = cardOf('Sweep')
    placeElements(card, screen.getByRole('region', { name: 'Done' }))
    fireEvent.pointerDown(card, { button: 0, buttons: 1, clientX: 10, clientY: 10 })
    fireEvent.pointerMove(card, { buttons: 1, clientX: 13, clientY: 10 })
    assert.equal(card.style.translate, '0px 0px', 'a short movement may still be a click')
    fireEvent.pointerMove(card, { buttons: 1, clientX: 210, clientY: 15 })
    assert.equal(card.style.translate, '200px 5px')
    fireEvent.pointerUp(card)
    assert.deepEqual(moves, [['sweep', 'done']])
  })

  test('a card does not follow the pointer after the button of the pointer was released outside of the card', async () => {
    const moves: unknown[] = []
    await renderBoard((row, value) => moves.push([row.id, value]))
    const card = cardOf('Sweep')
    placeElements(card, screen.getByRole('region', { name: 'Done' }))
    fireEvent.pointerDown(card, { button: 0, buttons: 1, clientX: 10, clientY: 10 })
    fireEvent.pointerMove(card, { buttons: 0, clientX: 90, clientY: 10 })
    assert.equal(card.style.translate, '')
    fireEvent.pointerMove(card, { buttons: 0, clientX: 95, clientY: 10 })
    fireEvent.pointerUp(card)
    assert.deepEqual(moves, [])
  })
})
