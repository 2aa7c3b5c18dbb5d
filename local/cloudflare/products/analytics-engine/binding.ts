import { SHIMS_WORKER, type Shim } from '../../workerd/rpc.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

const DATASET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** A dataset needs no creation, as at the provider: the first data point of a name creates it. */
export const analyticsEngineBinding: BindingKind = {
  types: ['analytics_engine'],
  usesShims: true,
  check: (binding) => {
    const dataset = textField(binding, 'dataset')
    if (dataset === null || !DATASET_NAME.test(dataset))
      throw refuseUpload(`Binding ${binding.name}: '${String(dataset)}' is not a valid dataset name.`)
  },
  env: (binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'AnalyticsEngine',
    props: { accountId: script.accountId, dataset: String(binding['dataset']) },
  }),
}

/** Writes data points. Unlike at the provider, the call is asynchronous, so an app must pass its promise to `waitUntil`. */
export const analyticsEngineShim: Shim = {
  className: 'AnalyticsEngine',
  source: `
import { WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'

const size = (text) => new TextEncoder().encode(text).byteLength
const toText = (value) => value === null || value === undefined ? '' : typeof value === 'string' ? value : new TextDecoder().decode(value)
const check = (isRight, message) => { if (!isRight) throw new TypeError('writeDataPoint(): ' + message) }

export class AnalyticsEngine extends WorkerEntrypoint {
  async writeDataPoint({ indexes = [], blobs = [], doubles = [] } = {}) {
    const texts = blobs.map(toText)
    const [index = ''] = indexes.map(toText)
    check(indexes.length <= 1, 'at most one index is allowed.')
    check(size(index) <= 96, 'the index has more than 96 bytes.')
    check(texts.length <= 20, 'at most 20 blobs are allowed.')
    check(texts.reduce((sum, text) => sum + size(text), 0) <= 16384, 'the blobs have more than 16 kB together.')
    check(doubles.length <= 20, 'at most 20 doubles are allowed.')
    check(doubles.every((number) => typeof number === 'number' && Number.isFinite(number)), 'doubles must be numbers.')
    await ask(this, 'analytics-engine', '/', { method: 'POST', body: JSON.stringify({ index, blobs: texts, doubles }) })
  }
}
`,
}
