import type { RpcCall } from '../../runtime/shims/rpc.ts'
import type { Telemetry } from '../../observability/telemetry/telemetry.ts'

export async function handleDataPoint(telemetry: Telemetry, { props, bytes }: RpcCall): Promise<Response> {
  const text = new TextDecoder().decode(await bytes())
  const { index, blobs, doubles } = JSON.parse(text) as { index: string; blobs: string[]; doubles: number[] }
  const { accountId, dataset } = props as { accountId: string; dataset: string }
  telemetry.addPoints([{ accountId, dataset, at: Date.now(), index, blobs, doubles }])
  return new Response(null, { status: 204 })
}
