import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../server/version.ts'
import { type Approved, breakingChanges, type Contract, unapproved } from './breaking-changes.ts'
import { ROOT } from './lib.ts'
import { reducedContract } from './reduced-contract.ts'

/**
 * Fails when the API's OpenAPI document breaks clients of the last release without an approval. With
 * `--release` it stores the document as that of the last release, and removes the approvals.
 */
const CONTRACT_PATH = join(ROOT, 'docs/api/openapi.json')
const RELEASED_PATH = join(ROOT, 'docs/api/released.json')
const APPROVED_CHANGES_PATH = join(ROOT, 'docs/api/approved-changes.json')

const contractIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Contract

if (process.argv.includes('--release')) {
  writeFileSync(RELEASED_PATH, reducedContract(contractIn(CONTRACT_PATH)))
  writeFileSync(APPROVED_CHANGES_PATH, '{}\n')
  process.stdout.write(`docs/api/released.json is the contract of ${VERSION}.\n`)
} else {
  const approved = JSON.parse(readFileSync(APPROVED_CHANGES_PATH, 'utf8')) as Approved
  const problems = unapproved(
    await breakingChanges(contractIn(RELEASED_PATH), contractIn(CONTRACT_PATH)),
    approved,
  )
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\nSee "Change an endpoint" in CONTRIBUTING.md.\n`)
    process.exitCode = 1
  }
}
