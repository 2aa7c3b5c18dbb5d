import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { screen, waitFor } from '@testing-library/react'
import { field, isShown, press, Refusal, serve, show, untilSent, write } from '../../../testing/console.tsx'
import { RefField } from './ref-field.tsx'

const DATA_PATH = '/projects/prj_1/capabilities/data'
const PAGES = `GET ${DATA_PATH}/pages/projects`
const FIND = `GET ${DATA_PATH}/query`
const NOT_NOW = new Refusal(400, 'invalid_request', 'Not now.')
const record = (id: string, name: string | null, partition = 'app') => ({
  id,
  partition,
  name,
  note: `Note of ${id}`,
})
const projects = {
  name: 'projects',
  title: 'Projects',
  partition: 'app',
  label: 'name',
  count: 1,
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'note', type: 'text', required: false },
  ],
}

interface Given {
  value?: string
  partition?: string
  collections?: () => unknown
  /** `page` returns a page of the collection, or with `where` the chosen record. `found` returns the results of a search. */
  page?: (query: Record<string, string>) => unknown
  found?: () => unknown
}

function renderField({ value = '', partition = 'app', ...given }: Given) {
  let id = value
  const calls = serve({
    [`GET ${DATA_PATH}/collections`]: given.collections ?? (() => [projects]),
    [PAGES]: ({ query }) => given.page?.(query) ?? { items: [], nextCursor: null },
    [FIND]: given.found ?? (() => []),
  })
  function Host() {
    const [now, set] = useState(value)
    id = now
    return (
      <RefField
        projectId="prj_1"
        target="projects"
        partition={partition}
        field={{ name: 'project' }}
        value={now}
        hint=""
        error={undefined}
        onChange={set}
      />
    )
  }
  show(<Host />)
  return { calls, id: () => id }
}
const pageOf = (...items: object[]) => ({ items, nextCursor: null })
const options = () => screen.queryAllByRole('listitem').map((item) => item.textContent)

describe('a field that refers to another record', () => {
  test('a reference field offers the newest records of the same person, team or app by name, and its value is the chosen id', async () => {
    const { calls, id } = renderField({
      partition: 'u_1',
      page: ({ where }) =>
        where === undefined
          ? pageOf(record('r1', 'House', 'u_1'), record('r2', null, 'u_1'), record('r3', 'Other', 'u_2'))
          : pageOf(record('r2', null, 'u_1')),
    })
    await waitFor(() => assert.deepEqual(options(), ['House', 'Note of r2']))
    assert.deepEqual(calls[PAGES]?.[0]?.query, { limit: '20', partition: 'u_1' })
    press('Note of r2')
    await waitFor(() => assert.equal(field('Project').textContent, 'Note of r2'))
    assert.equal(id(), 'r2')
    press('Remove Project')
    assert.equal(id(), '')
  })

  test('a search in a reference field offers only records of the same person, team or app', async () => {
    const { calls } = renderField({
      found: () => [record('r1', 'House'), record('r2', 'House of Bo', 'u_2')],
    })
    await untilSent()
    write('Project', ' house ')
    await waitFor(() => assert.deepEqual(options(), ['House']))
    assert.deepEqual(
      calls[FIND]?.map(({ query }) => query),
      [{ collection: 'projects', q: 'house' }],
    )
  })

  test('a search in a reference field offers the newest records when the referenced collection has no text fields', async () => {
    const fields = [{ name: 'size', type: 'integer', required: true }]
    const { calls } = renderField({
      collections: () => [{ ...projects, label: undefined, fields }],
      page: () => pageOf({ id: 'r1', partition: 'app', size: 7 }),
    })
    await untilSent()
    write('Project', 'x')
    await waitFor(() => assert.deepEqual(options(), ['7']))
    assert.deepEqual(calls[FIND], [])
  })

  test("a reference to a record that no longer exists is shown as missing, with the record's id", async () => {
    renderField({ value: 'r_gone' })
    await waitFor(() => assert.equal(field('Project').textContent, 'A record that was not found (r_gone)'))
  })

  test('a referenced record that cannot be read is shown by its id, and can be removed', async () => {
    const { id } = renderField({
      value: 'r1',
      page: ({ where }) => (where === undefined ? pageOf() : NOT_NOW),
    })
    await waitFor(() => assert.equal(field('Project').textContent, 'r1'))
    press('Remove Project')
    assert.equal(id(), '')
  })

  test('a reference field reports that the records cannot be searched', async () => {
    renderField({ page: () => NOT_NOW })
    await waitFor(() => assert.ok(isShown('The search failed.')))
  })
})
