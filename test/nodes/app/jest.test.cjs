const { compileWhere } = require('onwhere');

test('Jest requires the package', () => {
  expect(compileWhere('properties["plan"] == "pro"')({ plan: 'pro' })).toBe(true);
});
