import { join } from 'node:path'
import { VERSION } from '../server/version.ts'
import { ROOT } from './lib.ts'
import { compatibilityProblems, releaseContract } from './contract/released-contract.ts'

/**
 * Fails when the API's OpenAPI document breaks clients of the last release without an approval. With
 * `--release` it stores the current document as the document of the last release, and removes the approvals.
 */
const FOLDER = join(ROOT, 'docs/api')

if (process.argv.includes('--release')) {
  releaseContract(FOLDER)
  process.stdout.write(`docs/api/released.json is the contract of ${VERSION}.\n`)
} else {
  const problems = await compatibilityProblems(FOLDER)
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\nSee "Change an endpoint" in CONTRIBUTING.md.\n`)
    process.exitCode = 1
  }
}
