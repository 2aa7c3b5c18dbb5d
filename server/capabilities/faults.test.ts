import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { isSoak } from '../../test/support/soak.ts'
import { type CloudApp, openCloudApp } from '../releases/testing.ts'
import { type Fault, FaultProxy, type ProxiedCall } from '../testing/providers/fault-proxy.ts'
import { exampleSettings, chunksOf, type Step, STEPS, Walk, withoutVersions } from './testing.ts'

const FAULTS: Fault[] = ['answer 429', 'answer 500', 'be slow', 'lose the answer', 'lose the request']

/**
 * Each set of capabilities goes through one `Walk`: it is enabled, deployed and finally deleted. A walk takes long even without faults,
 * so seven capabilities share a walk. With `--soak` each capability has a separate walk.
 */
const SETS = chunksOf(CAPABILITY_KEYS, isSoak ? 1 : 7)

/**
 * A request that fails during a step, and its fault. `call` is the method, the path and the number of the request among
 * the step's requests with the same method and path.
 */
interface FaultPlan {
  call: string
  fault: Fault
}

/** Lists the requests to one account, without the ids that differ between accounts. Makes each chosen request fail once. */
class RequestRecorder {
  readonly calls: string[] = []
  #broken = new Map<string, Fault>()

  expect(broken: readonly FaultPlan[]): void {
    this.calls.length = 0
    this.#broken = new Map(broken.map(({ call, fault }) => [call, fault]))
  }

  get notCalled(): number {
    return this.#broken.size
  }

  decide({ method, path }: ProxiedCall): Fault | null {
    const name = `${method} ${path.replace(/^.*\/accounts\/[^/]+/, '').replaceAll(/[0-9a-f-]{20,}/g, ':id')}`
    const call = `${name} ${this.calls.filter((one) => one.startsWith(`${name} `)).length + 1}`
    this.calls.push(call)
    const fault = this.#broken.get(call) ?? null
    this.#broken.delete(call)
    return fault
  }
}

/** The result of a walk without faults: the calls of each step, and the resources after the step. */
interface Plan {
  calls: Record<Step, string[]>
  held: Record<Step, string[]>
  registered: Record<Step, string[]>
}

describe(
  'the life of every capability, with each call to the account broken in turn',
  { concurrency: 3 },
  () => {
    const proxy = new FaultProxy()
    const watched = new Map<string, RequestRecorder>()
    let cloud: CloudApp
    before(async () => {
      proxy.decide = (call) => {
        const [, accountId = ''] = /\/accounts\/([0-9a-f]{32})/.exec(call.path) ?? []
        return watched.get(accountId)?.decide(call) ?? null
      }
      cloud = await openCloudApp((api) => proxy.listen(api))
    })
    after(async () => {
      await cloud.close()
      await proxy.close()
    })

    async function begin(keys: readonly CapabilityKey[]) {
      const walk = await Walk.begin(cloud, keys)
      const calls = new RequestRecorder()
      watched.set(walk.account.accountId, calls)
      return { walk, calls }
    }

    async function walkWithoutFaults(keys: readonly CapabilityKey[]): Promise<Plan> {
      const { walk, calls } = await begin(keys)
      const plan = { calls: {}, held: {}, registered: {} } as Plan
      for (const step of STEPS) {
        calls.expect([])
        assert.equal(await walk.take(step), null, step)
        plan.calls[step] = [...calls.calls]
        plan.held[step] = await walk.held()
        plan.registered[step] = await walk.registered()
      }
      return plan
    }

    /** Makes the given calls of each step fail, and repeats a failed step. Returns how many faults took effect. */
    async function walkWithFaults(
      keys: readonly CapabilityKey[],
      plan: Plan,
      broken: Record<Step, FaultPlan[]>,
    ): Promise<number> {
      const { walk, calls } = await begin(keys)
      const told: string[] = []
      let happened = 0
      for (const step of STEPS) {
        calls.expect(broken[step])
        told.push(`${step}: ${broken[step].map(({ fault, call }) => `${fault} to ${call}`).join(', ')}`)
        let failed = await walk.take(step)
        // Each fault can make one attempt fail, so there are at most as many retries as faults.
        for (let tries = 0; failed !== null && tries < broken[step].length; tries++) {
          told.push(`  failed: ${failed}`)
          failed = await walk.take(step)
        }
        happened += broken[step].length - calls.notCalled
        const so = told.join('\n')
        assert.equal(failed, null, so)
        assert.deepEqual(withoutVersions(await walk.held()), withoutVersions(plan.held[step]), so)
        assert.deepEqual(await walk.registered(), plan.registered[step], so)
      }
      return happened
    }

    /**
     * Returns the walks for a set of capabilities. With `--soak` there is one walk for each combination of call and fault. Otherwise there
     * is one walk, in which each step gets as many faults as there are capabilities, spread over its calls.
     */
    function planWalks(plan: Plan, index: number, faults: number): Record<Step, FaultPlan[]>[] {
      const walkOf = (choose: (step: Step, n: number) => FaultPlan[]) =>
        Object.fromEntries(STEPS.map((step, n) => [step, choose(step, n)])) as Record<Step, FaultPlan[]>
      const most = Math.max(...STEPS.map((step) => plan.calls[step].length)) * FAULTS.length
      const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
      if (!isSoak)
        return [
          walkOf((step, n) => {
            const calls = plan.calls[step]
            const first = Math.floor((((index * STEPS.length + n + 1) * 0.618_034) % 1) * calls.length)
            return Array.from({ length: Math.min(faults, calls.length) }, (_, nth) => ({
              call: at(calls, first + Math.floor((nth * calls.length) / faults)),
              fault: at(FAULTS, index * faults + n + nth),
            }))
          }),
        ]
      return Array.from({ length: most }, (_, round) =>
        walkOf((step) => {
          const calls = plan.calls[step]
          return [{ call: at(calls, round), fault: at(FAULTS, Math.floor(round / calls.length)) }]
        }),
      )
    }

    test('every capability declares an example value for at least one setting, which the fault tests use', () => {
      for (const key of CAPABILITY_KEYS) assert.notDeepEqual(exampleSettings(key), {}, key)
    })

    for (const [index, keys] of SETS.entries())
      test(`after failed Cloudflare calls, retries complete every step without leftovers or duplicates: ${keys.join(', ')}`, async (t) => {
        const plan = await walkWithoutFaults(keys)
        assert.deepEqual([plan.held.teardown, plan.registered.teardown], [[], []])
        let [happened, asked] = [0, 0]
        for (const broken of planWalks(plan, index, keys.length)) {
          asked += Object.values(broken).flat().length
          happened += await walkWithFaults(keys, plan, broken)
        }
        t.diagnostic(`${happened} of ${asked} faults took effect`)
        // After a repeated step, the next step may make fewer calls than planned, so some faults never happen.
        assert.ok(happened >= asked * 0.8, `${happened} of ${asked}`)
      })
  },
)
