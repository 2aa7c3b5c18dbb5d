import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Test files of `server` and `test/scenarios` whose tests need not list the events, activity log entries and jobs that they cause (`leaves`
 * in effects.ts), each with the reason. Remove entries but never add one (effects.test.ts).
 */
export const UNLISTED: Record<string, string> = {
  'server/billing/billing.test.ts': 'opens services whose jobs nothing takes',
  'server/capabilities/faults.test.ts': 'breaks every call of a provider in turn',
  'server/closing/lifecycle-faults.test.ts': 'breaks every call of a provider in turn',
  'server/events/purge-events.test.ts': 'writes events of its own, in thousands, and purges them',
  'server/http/contract/access.test.ts': 'calls every endpoint with every kind of caller',
  'server/http/contract/ids.test.ts': 'calls every endpoint with ids of others',
  'server/http/contract/input.test.ts': 'calls every endpoint with bad input',
  'server/http/contract/contract.test.ts': 'calls every endpoint',
  'server/http/contract/fuzz.test.ts': 'calls every endpoint with random input',
  'server/members/belongings.test.ts': 'creates keys while another call removes them',
  'server/releases/ship-faults.test.ts': 'breaks every call of a provider in turn',
  'server/tickets/counters.test.ts': 'changes tickets at random, several at the same moment',
  'test/scenarios/ship-upstream.test.ts':
    'breaks every nth call of a ship, in a number that depends on --soak',
}

/**
 * Returns whether the tests of a file must list the events, activity log entries and jobs that they cause. Tests outside of `server` and
 * `test/scenarios` need not list them.
 */
export function listsEffects(filePath: string | undefined): boolean {
  const file = filePath?.replace(ROOT, '') ?? ''
  return /^(server|test\/scenarios)\//.test(file) && !Object.hasOwn(UNLISTED, file)
}
