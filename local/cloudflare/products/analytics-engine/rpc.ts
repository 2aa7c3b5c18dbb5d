import * as z from 'zod'
import type { RpcCall } from '../../workerd/rpc.ts'
import type { Telemetry } from '../../observability/telemetry/telemetry.ts'

const Props = z.object({ accountId: z.string(), dataset: z.string() })
const Point = z.object({ index: z.string(), blobs: z.array(z.string()), doubles: z.array(z.number()) })

/** Stores one data point of a binding. The shim has checked its limits. */
export async function handleDataPoint(telemetry: Telemetry, { props, bytes }: RpcCall): Promise<Response> {
  const point = Point.parse(JSON.parse(new TextDecoder().decode(await bytes())))
  telemetry.addPoints([{ ...Props.parse(props), at: Date.now(), ...point }])
  return new Response(null, { status: 204 })
}
