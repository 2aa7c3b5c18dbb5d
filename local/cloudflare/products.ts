import type { ShimDesk } from './shims/desk.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { keepPoint } from './analytics-engine/desk.ts'

/** Who answers the bindings of products that live in this process. */
export function productDesk({ telemetry }: { telemetry: Telemetry }): ShimDesk {
  return { 'analytics-engine': (call) => keepPoint(telemetry, call) }
}
