import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupsModule } from './endpoint-groups.ts'

const source = (noun: string, ...groups: string[]) => ({
  path: `server/${noun}/${noun}.routes.ts`,
  text: groups.map((name) => `export const ${name}Routes = group('One', {})\n`).join(''),
})

describe('the list of endpoint groups', () => {
  test('the generated list of endpoint groups keeps their order, with a new group at the end and without a removed one', () => {
    const before = groupsModule([source('tickets', 'ticket'), source('gone', 'gone')], '')
    const reversed = before.replace('  ticketRoutes,\n  goneRoutes,\n', '  goneRoutes,\n  ticketRoutes,\n')
    const after = groupsModule([source('added', 'added'), source('tickets', 'ticket', 'other')], reversed)
    assert.match(after, /\[\n {2}ticketRoutes,\n {2}addedRoutes,\n {2}otherRoutes,\n\]/)
    assert.match(after, /^import \{ ticketRoutes, otherRoutes \} from '\.\.\/tickets\/tickets\.routes\.ts'$/m)
    assert.doesNotMatch(after, /gone/)
  })

  test('the generated list of endpoint groups does not import a file without a group of endpoints', () => {
    const text = groupsModule(
      [{ path: 'server/docs/docs.routes.ts', text: 'export function docsRoutes() {}' }],
      '',
    )
    assert.doesNotMatch(text, /docs/)
  })
})
