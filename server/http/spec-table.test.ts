import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '../endpoints.ts'
import { SPEC_TABLE } from '../testing/spec-table.ts'
import { requiredAccess } from './openapi.ts'

/** One line for each route, such as `GET /projects  projects:read`. */
type Lines = string[]

describe('the contract, route by route', () => {
  const declared: Lines = ENDPOINTS.map((endpoint) => `${endpoint.route}  ${requiredAccess(endpoint)}`)
  const documented = documentedLines()

  for (const [heading, routes] of Object.entries(SPEC_TABLE)) {
    const promised: Lines = Object.entries(routes).map(([route, access]) => `${route}  ${access}`)

    test(`the service has every route under the contract's heading ${heading}, with exactly its access`, () => {
      assert.deepEqual(missingLines(promised, declared), [])
    })

    test(`docs/api/routes.md lists the routes under the contract's heading ${heading} with the same access`, () => {
      assert.deepEqual(missingLines(promised, documented), [])
    })
  }

  test('the handwritten table covers all headings of the contract and names no route twice', () => {
    const routes = Object.values(SPEC_TABLE).flatMap((heading) => Object.keys(heading))
    assert.equal(routes.length, 53)
    assert.equal(new Set(routes).size, routes.length)
    for (const route of routes) assert.match(route, /^(GET|POST|PUT|PATCH|DELETE) \/[\w/:]+$/)
  })

  test('docs/api/routes.md lists the routes of the service and no others', () => {
    assert.deepEqual(documented.toSorted(), declared.toSorted())
  })

  function missingLines(promised: Lines, found: Lines): Lines {
    return promised.filter((line) => !found.includes(line))
  }

  function documentedLines(): Lines {
    const text = readFileSync(new URL('../../docs/api/routes.md', import.meta.url), 'utf8')
    return [...text.matchAll(/^\| ([A-Z]+) \| `([^`]+)` \| ([^|]+) \|/gm)].map(
      ([, method, path, access]) => `${method} ${path}  ${access}`,
    )
  }
})
