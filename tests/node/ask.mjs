// Requests the catalogue as JSON:API recommends, with kitsu and devour, and prints the ids that
// each got, by question.
//
// Usage: ask.mjs API_URL

import Devour from 'devour-client'
import Kitsu from 'kitsu'

const url = process.argv[2]

const kitsu = new Kitsu({ baseURL: url, pluralize: false, camelCaseTypes: false, resourceCase: 'none' })

const devour = new Devour({ apiUrl: url, pluralize: false, logger: false })
devour.define('studies', { 'study-name': '', biomes: { jsonApi: 'hasMany', type: 'biomes' } })
devour.define('biomes', { lineage: '', 'biome-name': '' })
devour.define('samples', { 'sample-name': '' })

const ids = resources => resources.map(resource => resource.id)

const studies = {
  filter: { lineage: 'root:Environmental' },
  page: { number: 2, size: 5 },
  sort: '-study-name',
  fields: { studies: 'study-name,biomes' },
  include: 'biomes',
}

const samples = { filter: { 'study-accession': 'MGYS00000257' }, sort: 'accession', page: { size: 250 } }

const byKitsu = await kitsu.get('studies', { params: studies })
const byDevour = await devour.findAll('studies', studies)

console.log(JSON.stringify({
  kitsu: {
    studies: ids(byKitsu.data),
    biomes: byKitsu.data[0].biomes.data.map(biome => biome.lineage),
    attributes: Object.keys(byKitsu.data[0]).includes('study-abstract'),
    count: byKitsu.meta.pagination.count,
    samples: ids((await kitsu.get('samples', { params: samples })).data),
    study: (await kitsu.get('studies/MGYS00000257')).data.id,
  },
  devour: {
    studies: ids(byDevour.data),
    biomes: byDevour.data[0].biomes.map(biome => biome.lineage),
    attributes: byDevour.data[0]['study-abstract'] !== undefined,
    count: byDevour.meta.pagination.count,
    samples: ids((await devour.findAll('samples', samples)).data),
    study: (await devour.find('studies', 'MGYS00000257')).data.id,
  },
}))
