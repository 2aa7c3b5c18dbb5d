import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Analytics } from '@slipway/sdk/client/types.gen.ts'
import { insightsText } from '../../text/shipping.en.ts'

export type Series = Extract<Analytics, { state: 'ok' }>['series']
const CHART_HEIGHT = 220
const HALF_HOUR_S = 1800

/** A bar chart of requests and errors per hour. A table beside it shows the same numbers. */
export function TrafficChart({ series, label }: { series: Series; label: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let chart = drawChart(element, series)
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: CHART_HEIGHT }),
    )
    resized.observe(element)
    // A canvas does not follow CSS, so redraw the chart when the theme changes.
    const themed = new MutationObserver(() => {
      chart.destroy()
      chart = drawChart(element, series)
    })
    themed.observe(document.documentElement, { attributeFilter: ['data-mode'] })
    return () => {
      themed.disconnect()
      resized.disconnect()
      chart.destroy()
    }
  }, [series])
  return <div ref={box} role="img" aria-label={label} className="min-h-[220px] w-full overflow-hidden" />
}

function drawChart(element: HTMLElement, series: Series): uPlot {
  const text = resolveColour(element, '--text-color-kumo-subtle')
  const grid = { stroke: resolveColour(element, '--color-kumo-line'), width: 1 }
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] })
  const bar = (label: string, paint: string) => ({
    label,
    fill: paint,
    points: { show: false },
    ...(bars && { paths: bars }),
  })
  return new uPlot(
    {
      width: element.clientWidth,
      height: CHART_HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      axes: [
        {
          stroke: text,
          grid: { show: false },
          ticks: grid,
          space: 60,
          values: (_, hours) => hours.map(hourText),
        },
        {
          stroke: text,
          grid,
          ticks: { show: false },
          size: 44,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 1e6],
        },
      ],
      scales: {
        // Half an hour of padding on both sides, so that the first and the last bar have their full width.
        x: { range: (_, first, last) => [first - HALF_HOUR_S, last + HALF_HOUR_S] },
        y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] },
      },
      series: [
        {},
        bar(insightsText.requests, resolveColour(element, '--color-tide')),
        bar(insightsText.errors, resolveColour(element, '--color-hull')),
      ],
    },
    [
      series.map(({ at }) => Date.parse(at) / 1000),
      series.map(({ requests }) => requests),
      series.map(({ errors }) => errors),
    ],
    element,
  )
}

const hourFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const hourText = (seconds: number) => hourFormat.format(seconds * 1000)

/**
 * Returns the value of a colour token. A canvas accepts no CSS variable, so resolve the token on an element.
 */
function resolveColour(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
