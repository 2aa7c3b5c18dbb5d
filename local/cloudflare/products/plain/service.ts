import { findScript } from '../../scripts/scripts.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

export const service: BindingKind = {
  types: ['service'],
  check: (binding, { store, accountId, scriptName }) => {
    const target = textField(binding, 'service')
    if (target === null) throw refuseUpload(`Binding ${binding.name} names no service.`)
    if (target === scriptName || findScript(store, accountId, target) !== null) return
    throw refuseUpload(
      `Could not resolve service binding '${binding.name}'. Target script '${target}' not found.`,
      10143,
    )
  },
  joins: (binding) => [{ script: String(binding['service']) }],
  env: (binding, _worker, plan) => {
    const target = String(binding['service'])
    const exportName = textField(binding, 'entrypoint')
    if (!plan.workers.some(({ script }) => script.name === target)) return null
    return {
      type: 'worker',
      worker: target,
      ...(exportName === null ? {} : { exportName }),
      ...(isRecord(binding['props']) ? { props: binding['props'] } : {}),
    }
  },
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
