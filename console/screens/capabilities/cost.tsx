import type { CapabilityMetadata } from '@slipway/sdk/capabilities.gen.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'

const pricesText = capabilitiesText.prices

export function Cost({ metadata: { cost, prices } }: { metadata: CapabilityMetadata }) {
  return (
    <div className="-mt-4 mb-5 text-[13px] text-kumo-subtle">
      <p>
        {capabilitiesText.cost}: {cost}
      </p>
      {prices.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 hover:text-kumo-default">
            {pricesText.title}
          </summary>
          <table className="mt-1.5 w-full max-w-2xl border-collapse text-left">
            <thead>
              <tr className="border-b border-kumo-line">
                {[pricesText.what, pricesText.included, pricesText.more].map((head) => (
                  <th key={head} scope="col" className="py-1.5 pr-4 font-medium last:pr-0">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {prices.map(({ what, included, more }) => (
                <tr key={what} className="border-b border-kumo-line last:border-0">
                  <th scope="row" className="py-1.5 pr-4 font-normal text-kumo-default">
                    {what}
                  </th>
                  <td className="py-1.5 pr-4 tabular-nums">{included}</td>
                  <td className="py-1.5 whitespace-nowrap tabular-nums">{more}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-1.5 max-w-2xl">{pricesText.note}</p>
        </details>
      )}
    </div>
  )
}
