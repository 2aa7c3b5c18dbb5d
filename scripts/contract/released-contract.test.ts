import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ROOT } from '../lib.ts'
import { reducedContract } from './reduced-contract.ts'
import { compatibilityProblems, releaseContract } from './released-contract.ts'

interface Document {
  info: { version: string }
  components: { schemas: { Project: { properties: Record<string, object>; required: string[] } } }
}

describe('a second release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-releases-'))
  after(() => rmSync(folder, { recursive: true }))

  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  const approve = (approved: object) =>
    writeFileSync(join(folder, 'approved-changes.json'), JSON.stringify(approved))

  test('an approved breaking change of the API no longer needs its approval once it is in a release', async () => {
    const contract = JSON.parse(readFileSync(join(ROOT, 'docs/api/openapi.json'), 'utf8')) as Document
    const store = () => writeFileSync(join(folder, 'openapi.json'), JSON.stringify(contract))
    store()
    releaseContract(folder)
    assert.deepEqual(await compatibilityProblems(folder), [])

    const { properties, required } = contract.components.schemas.Project
    delete properties['slug']
    required.splice(required.indexOf('slug'), 1)
    properties['color'] = { type: 'string' }
    contract.info.version = '99.0.0'
    store()
    const problems = await compatibilityProblems(folder)
    assert.deepEqual(
      problems.map((line) => line.replace(/ GET \S+ \S+: /, ' ')),
      [
        'Breaks clients of the last release: Property `slug` of `Project` was removed.',
        'Breaks clients of the last release: Properties of `Project` are no longer required: `slug`.',
      ],
    )
    const changes = problems.map((line) => line.replace('Breaks clients of the last release: ', ''))
    const approvals = Object.fromEntries(changes.map((change) => [change, 'A project has one address now.']))
    approve(approvals)
    assert.deepEqual(await compatibilityProblems(folder), [])

    releaseContract(folder)
    assert.equal(textOf('released.json'), reducedContract(contract))
    assert.deepEqual(JSON.parse(textOf('approved-changes.json')), {})
    assert.deepEqual(await compatibilityProblems(folder), [])
    approve(approvals)
    assert.deepEqual(
      await compatibilityProblems(folder),
      changes.map((change) => `Approved, but there is no such change: ${change}`),
    )

    // The second release added the property `color`, so removing it breaks clients of that release.
    approve({})
    delete properties['color']
    store()
    assert.match(
      (await compatibilityProblems(folder)).join('\n'),
      /^Breaks .*`color` of `Project` was removed\.$/,
    )
  })
})
