// Prints ranges of Unicode properties as JSON, from an unpacked @unicode/unicode-* package:
// node ranges.mjs FOLDER PROPERTY/VALUE ...
const [folder, ...properties] = process.argv.slice(2);
const found = {};
for (const property of properties) {
  const { default: ranges } = await import(`${folder}/${property}/ranges.mjs`);
  found[property] = [...ranges].map(({ begin, end }) => [begin, end]);
}
console.log(JSON.stringify(found));
