import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApprovedChanges, breakingChanges, type Contract, unapproved } from './breaking-changes.ts'
import { reducedContract } from './reduced-contract.ts'

const CONTRACT = 'openapi.json'
const RELEASED = 'released.json'
const APPROVED = 'approved-changes.json'

const contractIn = (folder: string, file: string) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Contract

/** Returns a line for each change of the contract in a folder that breaks clients of the last release without an approval. */
export async function compatibilityProblems(folder: string): Promise<string[]> {
  const approved = JSON.parse(readFileSync(join(folder, APPROVED), 'utf8')) as ApprovedChanges
  return unapproved(
    await breakingChanges(contractIn(folder, RELEASED), contractIn(folder, CONTRACT)),
    approved,
  )
}

/** Stores the current contract in `folder` as the contract of the last release, and removes the approvals. */
export function releaseContract(folder: string): void {
  writeFileSync(join(folder, RELEASED), reducedContract(contractIn(folder, CONTRACT)))
  writeFileSync(join(folder, APPROVED), '{}\n')
}
