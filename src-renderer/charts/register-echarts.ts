import { BarChart, LineChart, ScatterChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'

use([
  AriaComponent,
  BarChart,
  GridComponent,
  LabelLayout,
  LegendComponent,
  LineChart,
  ScatterChart,
  SVGRenderer,
  TooltipComponent,
])
