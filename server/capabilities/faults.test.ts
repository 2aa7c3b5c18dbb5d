import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { isSoak } from '../../test/support/soak.ts'
import { type CloudApp, openCloudApp } from '../releases/testing.ts'
import { type Fault, FaultProxy, type ProxiedCall } from '../testing/fault-proxy.ts'
import { exampleSettings, type Step, STEPS, Walk, withoutVersions } from './testing.ts'

const FAULTS: Fault[] = ['answer 429', 'answer 500', 'be slow', 'lose the answer', 'lose the request']

/** A call of a step, and what happens to it. `call` ends in how many equal ones came before it in the step. */
interface Broken {
  call: string
  fault: Fault
}

/** The calls of an account, as those of another one are named; breaks one of them. */
class Watched {
  readonly calls: string[] = []
  #broken: Broken | null = null
  hasHappened = false

  /** Begins a step. */
  expect(broken: Broken | null): void {
    this.calls.length = 0
    this.#broken = broken
    this.hasHappened = false
  }

  decide({ method, path }: ProxiedCall): Fault | null {
    const name = `${method} ${path.replace(/^.*\/accounts\/[^/]+/, '').replaceAll(/[0-9a-f-]{20,}/g, ':id')}`
    const call = `${name} ${this.calls.filter((one) => one.startsWith(`${name} `)).length + 1}`
    this.calls.push(call)
    if (this.hasHappened || this.#broken?.call !== call) return null
    this.hasHappened = true
    return this.#broken.fault
  }
}

/** A walk without faults: what each step calls, and what there is after it. */
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
    const watched = new Map<string, Watched>()
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

    async function begin(key: CapabilityKey) {
      const walk = await Walk.begin(cloud, [key])
      const calls = new Watched()
      watched.set(walk.account.accountId, calls)
      return { walk, calls }
    }

    async function walkWithoutFaults(key: CapabilityKey): Promise<Plan> {
      const { walk, calls } = await begin(key)
      const plan = { calls: {}, held: {}, registered: {} } as Plan
      for (const step of STEPS) {
        calls.expect(null)
        assert.equal(await walk.take(step), null, step)
        plan.calls[step] = [...calls.calls]
        plan.held[step] = await walk.held()
        plan.registered[step] = await walk.registered()
      }
      return plan
    }

    /** Breaks one call of every step; what failed is done once more. Returns how many faults took effect. */
    async function walkWithFaults(
      key: CapabilityKey,
      plan: Plan,
      broken: Record<Step, Broken>,
    ): Promise<number> {
      const { walk, calls } = await begin(key)
      const told: string[] = []
      let happened = 0
      for (const step of STEPS) {
        calls.expect(broken[step])
        const failed = await walk.take(step)
        happened += calls.hasHappened ? 1 : 0
        const { fault, call } = broken[step]
        told.push(`${step}: ${fault} to ${call}: ${calls.hasHappened ? (failed ?? 'healed') : 'not called'}`)
        const so = told.join('\n')
        if (failed !== null) assert.equal(await walk.take(step), null, so)
        assert.deepEqual(withoutVersions(await walk.held()), withoutVersions(plan.held[step]), so)
        assert.deepEqual(await walk.registered(), plan.registered[step], so)
      }
      return happened
    }

    /** The walks of a capability: all there are with `--soak`, else one, in which each step meets another fault. */
    function planWalks(plan: Plan, index: number): Record<Step, Broken>[] {
      const walkOf = (choose: (step: Step, n: number) => Broken) =>
        Object.fromEntries(STEPS.map((step, n) => [step, choose(step, n)])) as Record<Step, Broken>
      const most = Math.max(...STEPS.map((step) => plan.calls[step].length)) * FAULTS.length
      const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
      if (!isSoak)
        return [
          walkOf((step, n) => {
            const calls = plan.calls[step]
            const nth = Math.floor((((index * STEPS.length + n + 1) * 0.618_034) % 1) * calls.length)
            return { call: at(calls, nth), fault: at(FAULTS, index + n) }
          }),
        ]
      return Array.from({ length: most }, (_, round) =>
        walkOf((step) => {
          const calls = plan.calls[step]
          return { call: at(calls, round), fault: at(FAULTS, Math.floor(round / calls.length)) }
        }),
      )
    }

    test('every capability of this version declares an example of a setting to walk with', () => {
      for (const key of CAPABILITY_KEYS) assert.notDeepEqual(exampleSettings(key), {}, key)
    })

    for (const [index, key] of CAPABILITY_KEYS.entries())
      test(`${key}: every broken call is repaired by a retry, with nothing left over and nothing twice`, async (t) => {
        const plan = await walkWithoutFaults(key)
        assert.deepEqual([plan.held.teardown, plan.registered.teardown], [[], []])
        let [happened, asked] = [0, 0]
        for (const broken of planWalks(plan, index)) {
          asked += STEPS.length
          happened += await walkWithFaults(key, plan, broken)
        }
        t.diagnostic(`${happened} of ${asked} faults took effect`)
        // A step that was repaired before may need fewer calls.
        assert.ok(happened >= asked * 0.8, `${happened} of ${asked}`)
      })
  },
)
